#include "init/memory_scan.hpp"

#include <sys/stat.h>
#include <sys/vfs.h>

#include "init/number_text.hpp"
#include "init/sys.hpp"
#include "init/text.hpp"
#include "os/directory_entries.hpp"

namespace prx::init {
namespace {

constexpr unsigned kBlock = 512;  // of st_blocks
constexpr std::uint64_t kKibibyte = 1024;
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kUnknown = 1ULL << 50U;
constexpr std::uint64_t kNoMount = UINT64_MAX;

/// Inodes that were counted; a full table counts one twice rather than not at all.
class SeenInodes {
 public:
  void clear() {
    for (auto& slot : slots_) slot = 0;
  }
  [[nodiscard]] bool contains(std::uint64_t inode) const {
    const auto at = find(inode);
    return at < kSize && slots_[at] == inode;
  }
  /// False when it is there already.
  bool add(std::uint64_t inode) {
    const auto at = find(inode);
    if (at == kSize) return true;
    if (slots_[at] == inode) return false;
    slots_[at] = inode;
    return true;
  }

 private:
  static constexpr std::size_t kSize = 4096;
  static constexpr std::size_t kProbes = 32;

  [[nodiscard]] std::size_t find(std::uint64_t inode) const {
    for (std::size_t i = 0; i < kProbes; ++i) {
      const auto at = static_cast<std::size_t>(inode + i) % kSize;
      if (slots_[at] == inode || slots_[at] == 0) return at;
    }
    return kSize;
  }

  std::uint64_t slots_[kSize] = {};
};

// Static: too large for a stack.
constinit SeenInodes counted_files;

std::uint64_t device_of(const char* path) {
  struct stat status{};
  const long error = raw_syscall(__NR_newfstatat, AT_FDCWD, as_arg(path), as_arg(&status), 0);
  return error < 0 ? 0 : status.st_dev;
}

/// What is stored in a tmpfs; 0 for another file system.
std::uint64_t tmpfs_bytes(const char* path) {
  constexpr long kTmpfs = 0x01021994;
  struct statfs info{};
  if (raw_syscall(__NR_statfs, as_arg(path), as_arg(&info)) < 0 || info.f_type != kTmpfs) return 0;
  return (info.f_blocks - info.f_bfree) * static_cast<std::uint64_t>(info.f_bsize);
}

Text<64> path_of(int pid, const char* file) {
  Text<64> path;
  path.put("/proc/").put(static_cast<std::uint64_t>(pid)).put(file);
  return path;
}

/// All segments of the IPC namespace, attached or not.
std::uint64_t system_v_bytes() {
  struct Info {
    int used_ids;
    unsigned long total, resident, swapped, attempts, successes;
  } info{};
  constexpr int kInfo = 14;  // SHM_INFO
  return raw_syscall(__NR_shmctl, 0, kInfo, as_arg(&info)) < 0 ? 0 : (info.resident + info.swapped) * kPage;
}

/// The id of the mount that an open file is on; the kernel's own have some, too, from 0 on.
std::uint64_t mount_of(const char* fdinfo) {
  char text[512];
  const long fd = open_path(fdinfo, O_RDONLY);
  if (fd < 0) return kNoMount;
  const long size = read_fd(static_cast<int>(fd), text, sizeof(text));
  close_fd(static_cast<int>(fd));
  return size <= 0 ? kNoMount : number_after({text, static_cast<std::size_t>(size)}, "mnt_id:");
}

Text<64> fdinfo_path(int pid, int fd) {
  auto path = path_of(pid, "/fdinfo/");
  path.put(static_cast<std::uint64_t>(fd));
  return path;
}

std::uint64_t hexadecimal(std::string_view digits) {
  std::uint64_t value = 0;
  for (const char c : digits) {
    value = value * 16 + static_cast<std::uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
  }
  return value;
}

/// The word at `index` of a line; empty where there are fewer.
std::string_view word(std::string_view line, int index) {
  for (std::size_t at = 0; at < line.size();) {
    while (at < line.size() && line[at] == ' ') ++at;
    const auto begin = at;
    while (at < line.size() && line[at] != ' ') ++at;
    if (index-- == 0) return {line.data() + begin, at - begin};
  }
  return {};
}

std::uint64_t device_number(std::string_view text) {
  std::size_t colon = 0;
  while (colon < text.size() && text[colon] != ':') ++colon;
  if (colon == text.size()) return 0;
  const auto major = hexadecimal({text.data(), colon});
  const auto minor = hexadecimal({text.data() + colon + 1, text.size() - colon - 1});
  // As the kernel encodes it for stat(2).
  return (minor & 0xFF) | ((major & 0xFFF) << 8U) | ((minor & ~0xFFULL) << 12U);
}

}  // namespace

MemoryScan::MemoryScan(const ProcessTree& tree) : tree_(tree) {
  // Memory files are on a tmpfs of the kernel's that is mounted nowhere.
  memory_mount_ = kNoMount;
  const long fd = raw_syscall(__NR_memfd_create, as_arg("prx-init"), 1);  // MFD_CLOEXEC
  struct stat status{};
  if (fd >= 0 && raw_syscall(__NR_newfstatat, fd, as_arg(""), as_arg(&status), AT_EMPTY_PATH) >= 0) {
    memory_device_ = status.st_dev;
    memory_mount_ = mount_of(fdinfo_path(own_pid(), static_cast<int>(fd)).c_str());
  }
  close_fd(static_cast<int>(fd));
  if (!tree.is_namespace()) {
    shm_device_ = device_of("/dev/shm");
  } else if (tmpfs_bytes("/") > 0) {
    own_device_ = device_of("/");
  }
}

bool MemoryScan::exceeds(std::uint64_t limit) {
  counted_files.clear();
  total_ = own_device_ == 0 ? 0 : tmpfs_bytes("/");
  if (tree_.is_namespace()) total_ += system_v_bytes();
  tree_.for_each([](int pid, void* self) { static_cast<MemoryScan*>(self)->count_files(pid); }, this);
  const auto files = total_;
  tree_.for_each([](int pid, void* self) { static_cast<MemoryScan*>(self)->count_status(pid); }, this);
  if (total_ <= limit) return false;
  total_ = files;
  tree_.for_each([](int pid, void* self) { static_cast<MemoryScan*>(self)->count_mappings(pid); }, this);
  return total_ > limit;
}

void MemoryScan::count_files(int pid) {
  const long directory = open_path(path_of(pid, "/fd").c_str(), O_RDONLY | O_DIRECTORY);
  if (directory < 0) return directory == -EACCES ? count_hidden_files(pid) : void();
  os::for_each_entry(static_cast<int>(directory), [&](const os::DirectoryEntry& entry) {
    if (!entry.is_dot()) count_file(static_cast<int>(directory), entry.name);
  });
  close_fd(static_cast<int>(directory));
}

void MemoryScan::count_file(int directory, const char* name) {
  struct stat status{};
  if (raw_syscall(__NR_newfstatat, directory, as_arg(name), as_arg(&status), 0) < 0) return;
  const bool counts = status.st_dev == memory_device_ || (shm_device_ != 0 && status.st_dev == shm_device_);
  if (!counts || !S_ISREG(status.st_mode)) return;
  if (counted_files.add(status.st_ino)) total_ += static_cast<std::uint64_t>(status.st_blocks) * kBlock;
}

/// A process that has made itself undumpable shows which files it has open, to who may trace it, and not how
/// large they are (Linux 5.14). A memory file of which nobody can tell is over every limit.
void MemoryScan::count_hidden_files(int pid) {
  const long directory = open_path(path_of(pid, "/fdinfo").c_str(), O_RDONLY | O_DIRECTORY);
  if (directory < 0) return;
  os::for_each_entry(static_cast<int>(directory), [&](const os::DirectoryEntry& entry) {
    if (entry.is_dot()) return;
    const auto mount = mount_of(fdinfo_path(pid, os::read_decimal(entry.name)).c_str());
    if (mount != kNoMount && mount == memory_mount_) total_ += kUnknown;
  });
  close_fd(static_cast<int>(directory));
}

void MemoryScan::count_status(int pid) {
  char text[4096];
  const long fd = open_path(path_of(pid, "/status").c_str(), O_RDONLY);
  if (fd < 0) return;
  const long size = read_fd(static_cast<int>(fd), text, sizeof(text));
  close_fd(static_cast<int>(fd));
  if (size <= 0) return;
  const std::string_view status(text, static_cast<std::size_t>(size));
  for (const auto* field : {"RssAnon:", "RssShmem:", "VmSwap:"}) {
    total_ += number_after(status, field) * kKibibyte;
  }
}

void MemoryScan::count_mappings(int pid) {
  const long fd = open_path(path_of(pid, "/smaps").c_str(), O_RDONLY);
  if (fd < 0) return count_status(pid);  // rather too much than nothing
  char buffer[4096];
  std::size_t kept = 0;
  for (;;) {
    const long size = read_fd(static_cast<int>(fd), buffer + kept, sizeof(buffer) - kept);
    if (size <= 0) break;
    const std::size_t end = kept + static_cast<std::size_t>(size);
    std::size_t begin = 0;
    for (std::size_t at = kept; at < end; ++at) {
      if (buffer[at] != '\n') continue;
      count_mapping_line({buffer + begin, at - begin});
      begin = at + 1;
    }
    kept = end - begin;
    if (kept == sizeof(buffer)) kept = 0;  // a path that long says nothing
    for (std::size_t i = 0; i < kept; ++i) buffer[i] = buffer[begin + i];
  }
  close_fd(static_cast<int>(fd));
}

/// "start-end permissions offset device inode path", then lines such as "Pss:  4 kB".
void MemoryScan::count_mapping_line(std::string_view line) {
  if (line.empty()) return;
  if (line.front() < 'A' || line.front() > 'Z') return begin_mapping(line);
  const auto add = [&](std::string_view field) { total_ += number_after(line, field) * kKibibyte; };
  if (mapping_ == Mapping::anonymous || mapping_ == Mapping::shared) {
    add("Pss:");
    add("SwapPss:");
  } else if (mapping_ == Mapping::file) {
    add("Anonymous:");
    add("SwapPss:");
  }
}

void MemoryScan::begin_mapping(std::string_view header) {
  const auto device = device_number(word(header, 3));
  const auto inode = number_after(word(header, 4), {});
  if (inode == 0 && device == 0) {  // a System V segment may have the number 0
    mapping_ = Mapping::anonymous;
  } else if (own_device_ != 0 && device == own_device_) {
    mapping_ = Mapping::elsewhere;  // counted as a whole
  } else if (device == memory_device_ || (shm_device_ != 0 && device == shm_device_)) {
    const bool is_system_v = tree_.is_namespace() && word(header, 5).starts_with("/SYSV");
    const bool counted = is_system_v || counted_files.contains(inode);
    mapping_ = counted ? Mapping::elsewhere : Mapping::shared;
  } else {
    mapping_ = Mapping::file;
  }
}

}  // namespace prx::init
