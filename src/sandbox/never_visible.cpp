#include "sandbox/never_visible.hpp"

#include <cstdlib>
#include <string_view>
#include <utility>

namespace prx::sandbox {
namespace {

std::string absolute_variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value == '/' ? value : std::string();
}

/// The path in the address of a socket: `unix:///run/x.sock`, `unix:path=/run/x,guid=…` or the path itself.
std::string socket_path(std::string_view address) {
  for (const std::string_view scheme : {"unix://", "unix:path="}) {
    if (address.starts_with(scheme)) address.remove_prefix(scheme.size());
  }
  address = address.substr(0, address.find_first_of(",;"));
  return address.starts_with('/') ? std::string(address) : std::string();
}

class List {
 public:
  void add(std::string path, const char* what, std::string origin = "built-in", std::string key = {}) {
    if (!path.empty()) entries_.push_back({std::move(path), what, std::move(origin), std::move(key)});
  }
  void add_below(const std::string& folder, std::string_view name, const char* what) {
    if (!folder.empty()) add(std::string(folder).append("/").append(name), what);
  }
  void add_address(const char* variable, const char* what) {
    if (const char* address = std::getenv(variable); address != nullptr)
      add(socket_path(address), what, variable);
  }
  [[nodiscard]] std::vector<NeverVisible> take() { return std::move(entries_); }

 private:
  std::vector<NeverVisible> entries_;
};

void add_own(List& list, const Config& config, const std::string& home) {
  constexpr const char* kWhat = "prx's own";
  const auto add = [&](const char* variable, const char* fallback) {
    const bool is_set = !absolute_variable(variable).empty();
    list.add(own_folder(variable, home, fallback), kWhat, is_set ? variable : "built-in");
  };
  add("XDG_CONFIG_HOME", "/.config");
  add("XDG_STATE_HOME", "/.local/state");
  add("XDG_CACHE_HOME", "/.cache");
  list.add(absolute_variable("PRX_CONFIG"), kWhat, "PRX_CONFIG");
  if (const auto& log = config.security.audit.path; !log.empty()) {
    const auto origin = config.origin_of("security.audit.path").describe();
    list.add(log, "the audit log", origin);
    list.add(log + ".head", "the audit log", origin);
  }
}

/// Whoever may write to one of these can have a container with the host's root in it.
void add_engines(List& list, const Config& config, const std::string& runtime_folder) {
  constexpr const char* kDocker = "the Docker socket";
  constexpr const char* kEngine = "a container engine's socket";
  list.add(socket_path(config.runtime.docker.socket), kDocker,
           "runtime.docker.socket, " + config.origin_of("runtime.docker.socket").describe());
  list.add_address("DOCKER_HOST", kDocker);
  list.add_address("CONTAINER_HOST", kEngine);
  list.add("/run/docker.sock", kDocker);
  list.add_below(runtime_folder, "docker.sock", kDocker);
  list.add("/run/podman", kEngine);
  list.add_below(runtime_folder, "podman", kEngine);
  list.add("/run/containerd", kEngine);
  list.add("/run/crio", kEngine);
  list.add("/run/buildkit", kEngine);
}

void add_agents(List& list, const Config& config, const std::string& home,
                const std::string& runtime_folder) {
  constexpr const char* kAgent = "an agent's socket";
  if (!config.security.sandbox.ssh_agent) {
    list.add(ssh_agent_socket(), "the ssh agent's socket", "SSH_AUTH_SOCK", "security.sandbox.ssh_agent");
  }
  list.add_below(runtime_folder, "gnupg", kAgent);
  list.add_below(runtime_folder, "keyring", kAgent);
  auto gnupg = absolute_variable("GNUPGHOME");
  if (gnupg.empty() && !home.empty()) gnupg = home + "/.gnupg";
  for (const char* name : {"S.gpg-agent", "S.gpg-agent.extra", "S.gpg-agent.ssh", "S.gpg-agent.browser"}) {
    list.add_below(gnupg, name, kAgent);
  }
}

/// Through these a service manager starts programs for whoever asks.
void add_buses(List& list, const std::string& runtime_folder) {
  constexpr const char* kBus = "a message bus";
  list.add_address("DBUS_SESSION_BUS_ADDRESS", kBus);
  list.add_below(runtime_folder, "bus", kBus);
  list.add_below(runtime_folder, "systemd", kBus);
  list.add("/run/dbus", kBus);
  list.add("/run/systemd/private", kBus);
}

}  // namespace

std::string own_folder(const char* variable, const std::string& home, const char* fallback) {
  auto base = absolute_variable(variable);
  if (base.empty() && home.starts_with('/')) base = home + fallback;
  return base.empty() ? base : base + "/openprx";
}

std::string ssh_agent_socket() {
  return absolute_variable("SSH_AUTH_SOCK");
}

std::vector<NeverVisible> find_never_visible(const Config& config, const std::string& home,
                                             std::uint32_t uid) {
  auto runtime_folder = absolute_variable("XDG_RUNTIME_DIR");
  if (runtime_folder.empty()) runtime_folder = "/run/user/" + std::to_string(uid);
  List list;
  add_own(list, config, home);
  add_engines(list, config, runtime_folder);
  add_agents(list, config, home, runtime_folder);
  add_buses(list, runtime_folder);
  return list.take();
}

}  // namespace prx::sandbox
