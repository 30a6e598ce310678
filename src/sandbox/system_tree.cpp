#include "sandbox/system_tree.hpp"

#include <algorithm>
#include <array>

#include "sandbox/paths.hpp"

namespace prx::sandbox {
namespace {

using protocol::MountFields;
using protocol::PlannedMount;
using Kind = PlannedMount::Kind;

constexpr std::array<const char*, 12> kSystem{"/usr",    "/bin", "/sbin", "/lib", "/lib32", "/lib64",
                                              "/libx32", "/etc", "/opt",  "/nix", "/gnu",   "/snap"};
/// What acts on the machine, or tells of what is not the command's (as container engines mask it).
constexpr std::array<const char*, 2> kReadOnlyInProc{"/proc/sys", "/proc/irq"};
constexpr std::array<const char*, 6> kHiddenInProc{"/proc/sysrq-trigger", "/proc/kcore",
                                                   "/proc/keys",          "/proc/key-users",
                                                   "/proc/timer_list",    "/proc/kallsyms"};
constexpr std::array<const char*, 6> kDevices{"/dev/null",   "/dev/zero",    "/dev/full",
                                              "/dev/random", "/dev/urandom", "/dev/tty"};
constexpr std::array<std::array<const char*, 2>, 5> kDeviceLinks{{{"/dev/ptmx", "pts/ptmx"},
                                                                  {"/dev/fd", "/proc/self/fd"},
                                                                  {"/dev/stdin", "/proc/self/fd/0"},
                                                                  {"/dev/stdout", "/proc/self/fd/1"},
                                                                  {"/dev/stderr", "/proc/self/fd/2"}}};

MountFields mount_of(Kind kind, std::string source, std::string target, unsigned flags = 0) {
  MountFields mount;
  mount.kind = kind;
  mount.flags = static_cast<std::uint8_t>(flags);
  mount.source = std::move(source);
  mount.target = std::move(target);
  return mount;
}

}  // namespace

bool is_system_path(std::string_view path) {
  return std::any_of(kSystem.begin(), kSystem.end(),
                     [path](const char* top) { return is_within(path, top); });
}

MountFields private_directory(std::string target, std::uint16_t mode) {
  auto mount = mount_of(Kind::directory, {}, std::move(target), PlannedMount::writable);
  mount.mode = mode;
  return mount;
}

void add_system_tree(const HostView& host, std::vector<MountFields>& mounts) {
  for (const std::string top : kSystem) {
    const auto info = host.look(top);
    if (!info) continue;
    if (info->kind == FileKind::symlink) {
      mounts.push_back(mount_of(Kind::symlink, host.read_link(top), top));
    } else if (info->kind == FileKind::directory) {
      mounts.push_back(mount_of(Kind::bind, top, top));
    }
  }
}

void add_proc(const HostView& host, std::vector<MountFields>& mounts) {
  mounts.push_back(mount_of(Kind::proc, {}, "/proc"));
  for (const std::string path : kReadOnlyInProc) {
    if (host.look(path)) mounts.push_back(mount_of(Kind::bind, path, path, PlannedMount::optional));
  }
  for (const std::string path : kHiddenInProc) {
    if (host.look(path)) mounts.push_back(mount_of(Kind::file, {}, path, PlannedMount::optional));
  }
}

void add_devices(const HostView& host, std::vector<MountFields>& mounts) {
  for (const std::string device : kDevices) {
    if (host.look(device)) mounts.push_back(mount_of(Kind::device, device, device, PlannedMount::writable));
  }
  mounts.push_back(mount_of(Kind::terminals, {}, "/dev/pts"));
  for (const auto& [link, text] : kDeviceLinks) mounts.push_back(mount_of(Kind::symlink, text, link));
  mounts.push_back(private_directory("/dev/shm", 01777));
}

}  // namespace prx::sandbox
