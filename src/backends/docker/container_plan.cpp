#include "backends/docker/container_plan.hpp"

#include <fmt/format.h>

#include <cmath>

namespace prx::backends {
namespace {

using io::Json;

constexpr const char* kInitFile = "/.prx-init";
constexpr const char* kInitFolder = "/.prx";

Json strings(std::initializer_list<const char*> items) {
  auto list = Json::array();
  for (const auto* item : items) list.push(item);
  return list;
}

/// Mounts, never Binds: what is missing must be an error, not a directory that the daemon makes. Without
/// submounts, since before Linux 5.12 and API 1.44 read-only would not hold for them.
Json bind(const Share& share) {
  auto options = Json::object();
  options.set("Propagation", "rprivate").set("NonRecursive", true);
  auto mount = Json::object();
  mount.set("Type", "bind").set("Source", share.source).set("Target", share.target);
  mount.set("ReadOnly", !share.writable).set("BindOptions", std::move(options));
  return mount;
}

Json mask(const Mask& mask) {
  if (!mask.directory) return bind({.source = "/dev/null", .target = mask.target});
  constexpr unsigned kReadable = 0555;
  auto options = Json::object();
  options.set("SizeBytes", 4096U).set("Mode", kReadable);
  auto mount = Json::object();
  mount.set("Type", "tmpfs").set("Target", mask.target).set("ReadOnly", true);
  mount.set("TmpfsOptions", std::move(options));
  return mount;
}

Json init_mount(const InjectedInit& init) {
  if (init.volume.empty()) return bind({.source = init.file, .target = kInitFile});
  auto mount = Json::object();
  mount.set("Type", "volume").set("Source", init.volume).set("Target", kInitFolder).set("ReadOnly", true);
  return mount;
}

Json mounts(const ContainerPlan& plan, const ContainerSpec& spec) {
  auto list = Json::array();
  list.push(init_mount(spec.init));
  for (const auto& share : spec.identity_files) list.push(bind(share));
  for (const auto& share : plan.shares) list.push(bind(share));
  for (const auto& one : plan.masks) list.push(mask(one));
  return list;
}

/// exec: package managers and compilers run what they have just written.
Json tmpfs(const ContainerPlan& plan) {
  const auto owned = fmt::format("rw,exec,nosuid,nodev,mode=0700,uid={},gid={}", plan.uid, plan.gid);
  auto list = Json::object();
  list.set(kHome, owned);
  if (plan.private_tmp) list.set("/tmp", "rw,exec,nosuid,nodev,mode=1777");
  if (!plan.scratch.empty()) list.set(plan.scratch, owned);
  return list;
}

Json ulimit(const char* name, std::uint64_t limit) {
  auto entry = Json::object();
  entry.set("Name", name).set("Soft", limit).set("Hard", limit);
  return entry;
}

Json ulimits(const ContainerPlan& plan) {
  auto list = Json::array();
  list.push(ulimit("core", 0));
  // What containers inherit from the daemon is a million or more, and closing that many takes long.
  if (plan.open_files != 0) list.push(ulimit("nofile", plan.open_files));
  if (plan.file_size.value != 0) list.push(ulimit("fsize", plan.file_size.value));
  return list;
}

Json host_config(const ContainerPlan& plan, const ContainerSpec& spec) {
  constexpr double kNanoCpus = 1e9;
  auto log = Json::object();
  log.set("Type", "none");  // the output is prx's to keep; a log would only slow it down
  auto config = Json::object();
  config.set("Mounts", mounts(plan, spec)).set("Tmpfs", tmpfs(plan)).set("ReadonlyRootfs", true);
  config.set("CapDrop", strings({"ALL"})).set("SecurityOpt", strings({"no-new-privileges"}));
  config.set("NetworkMode", to_string(plan.network)).set("IpcMode", "private").set("Init", false);
  config.set("LogConfig", std::move(log)).set("Ulimits", ulimits(plan)).set("AutoRemove", plan.remove_itself);
  if (plan.memory.value != 0) config.set("Memory", plan.memory.value).set("MemorySwap", plan.memory.value);
  if (plan.cpus > 0) config.set("NanoCpus", static_cast<std::int64_t>(std::llround(plan.cpus * kNanoCpus)));
  if (plan.pids != 0) config.set("PidsLimit", plan.pids);
  if (!plan.oci_runtime.empty()) config.set("Runtime", plan.oci_runtime);
  return config;
}

}  // namespace

std::string InjectedInit::path_in_container() const {
  return volume.empty() ? kInitFile : std::string(kInitFolder) + "/prx-init";
}

io::Json make_create_body(const ContainerPlan& plan, const ContainerSpec& spec) {
  auto entrypoint = Json::array();
  entrypoint.push(spec.init.path_in_container()).push("container");
  auto labels = Json::object();
  for (const auto& [name, value] : spec.labels) labels.set(name, value);
  auto body = Json::object();
  body.set("Image", spec.image).set("Entrypoint", std::move(entrypoint)).set("Cmd", Json::array());
  body.set("User", fmt::format("{}:{}", plan.uid, plan.gid)).set("WorkingDir", "/");
  body.set("AttachStdin", true).set("AttachStdout", true).set("AttachStderr", true);
  // StdinOnce: when our end of the stream is gone, whatever became of us, prx-init reads its end and ends.
  body.set("OpenStdin", true).set("StdinOnce", true).set("Tty", false);
  auto healthcheck = Json::object();
  healthcheck.set("Test", strings({"NONE"}));
  body.set("Healthcheck", std::move(healthcheck)).set("Labels", std::move(labels));
  body.set("HostConfig", host_config(plan, spec));
  return body;
}

}  // namespace prx::backends
