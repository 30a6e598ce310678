#include "backends/docker/endpoint.hpp"

#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/try.hpp"
#include "io/json_value.hpp"

namespace prx::backends {
namespace {

constexpr std::string_view kDefaultSocket = "/var/run/docker.sock";
constexpr std::uint16_t kPlainPort = 2375;
constexpr std::uint16_t kTlsPort = 2376;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

io::JsonValue read_json(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return io::JsonValue::parse_or_null(text);
}

Error invalid(std::string_view address, std::string detail) {
  return {ErrorKind::invalid_request, "docker",
          std::string(address),       0,
          std::move(detail),          "write /path, unix:///path, tcp://host:port or ssh://user@host"};
}

/// "host", "host:port", "[v6]:port".
bool split_host(std::string_view text, Endpoint& endpoint) {
  std::string_view port;
  if (text.starts_with('[')) {
    const auto close = text.find(']');
    if (close == std::string_view::npos) return false;
    endpoint.host = text.substr(1, close - 1);
    port = text.substr(close + 1);
  } else {
    const auto colon = text.find(':');
    endpoint.host = text.substr(0, colon);
    port = colon == std::string_view::npos ? std::string_view() : text.substr(colon);
  }
  // ssh would take one that begins with a dash for an option.
  if (endpoint.host.empty() || endpoint.host.starts_with('-')) return false;
  if (port.empty()) return true;
  const auto* end = port.data() + port.size();
  const auto parsed = std::from_chars(port.data() + 1, end, endpoint.port);
  return port.front() == ':' && parsed.ec == std::errc() && parsed.ptr == end && endpoint.port != 0;
}

/// A context's folder is named by a hash of its name; the file in it tells the name itself.
std::filesystem::path find_context(const std::string& folder, const std::string& name) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/contexts/meta", error)) {
    if (read_json(entry.path() / "meta.json")["Name"].text() == name) return entry.path();
  }
  return {};
}

std::string existing(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::exists(path, error) ? path.string() : std::string();
}

TlsFiles files_in(const std::filesystem::path& folder, bool verify) {
  return {existing(folder / "ca.pem"), existing(folder / "cert.pem"), existing(folder / "key.pem"), verify};
}

Result<Endpoint> of_context(const std::string& name, const DockerSurroundings& surroundings) {
  const auto meta = find_context(surroundings.config_folder, name);
  if (meta.empty()) {
    return Error{ErrorKind::invalid_request,
                 "docker",
                 name,
                 0,
                 "there is no such docker context",
                 "choose one with `docker context use`, or set runtime.docker.socket"};
  }
  const auto settings = read_json(meta / "meta.json")["Endpoints"]["docker"];
  PRX_TRY(auto endpoint, parse_endpoint(settings["Host"].text()));
  const auto certificates =
      std::filesystem::path(surroundings.config_folder) / "contexts/tls" / meta.filename() / "docker";
  if (endpoint.kind == Endpoint::Kind::tcp && !existing(certificates).empty()) {
    endpoint.tls = files_in(certificates, !settings["SkipTLSVerify"].boolean());
  }
  endpoint.chosen_by = "the docker context \"" + name + "\"";
  return endpoint;
}

Result<Endpoint> of_address(const std::string& address, std::string chosen_by,
                            const DockerSurroundings& surroundings) {
  PRX_TRY(auto endpoint, parse_endpoint(address));
  if (endpoint.kind == Endpoint::Kind::tcp && (surroundings.tls_verify || endpoint.port == kTlsPort)) {
    endpoint.tls = files_in(surroundings.cert_folder, true);
  }
  endpoint.chosen_by = std::move(chosen_by);
  return endpoint;
}

std::string current_context(const DockerSurroundings& surroundings) {
  if (!surroundings.docker_context.empty()) return surroundings.docker_context;
  return read_json(std::filesystem::path(surroundings.config_folder) / "config.json")["currentContext"]
      .text();
}

}  // namespace

Result<Endpoint> parse_endpoint(std::string_view address) {
  Endpoint endpoint;
  endpoint.address = address;
  const auto after = [&](std::string_view scheme) { return address.substr(scheme.size()); };
  if (address.starts_with("unix://") || address.starts_with('/')) {
    endpoint.path = address.starts_with('/') ? address : after("unix://");
    constexpr std::size_t kMostPath = 107;  // sockaddr_un
    if (!endpoint.path.starts_with('/')) return invalid(address, "a unix socket's path is absolute");
    if (endpoint.path.size() > kMostPath)
      return invalid(address, "a unix socket's path has at most 107 bytes");
    return endpoint;
  }
  if (address.starts_with("tcp://")) {
    endpoint.kind = Endpoint::Kind::tcp;
    if (!split_host(after("tcp://"), endpoint)) return invalid(address, "not a host and a port");
    if (endpoint.port == 0) endpoint.port = kPlainPort;
    return endpoint;
  }
  if (address.starts_with("ssh://")) {
    endpoint.kind = Endpoint::Kind::ssh;
    auto rest = after("ssh://");
    if (const auto at = rest.rfind('@'); at != std::string_view::npos) {
      endpoint.user = rest.substr(0, at);
      rest.remove_prefix(at + 1);
      if (endpoint.user.empty() || endpoint.user.starts_with('-'))
        return invalid(address, "not a user's name");
    }
    if (!split_host(rest, endpoint)) return invalid(address, "not a host");
    return endpoint;
  }
  return invalid(address, "not the address of a docker daemon");
}

DockerSurroundings DockerSurroundings::of_process() {
  DockerSurroundings found;
  found.docker_host = variable("DOCKER_HOST");
  found.docker_context = variable("DOCKER_CONTEXT");
  found.config_folder = variable("DOCKER_CONFIG");
  if (const auto home = variable("HOME"); found.config_folder.empty() && !home.empty()) {
    found.config_folder = home + "/.docker";
  }
  found.cert_folder = variable("DOCKER_CERT_PATH");
  if (found.cert_folder.empty()) found.cert_folder = found.config_folder;
  found.tls_verify = !variable("DOCKER_TLS_VERIFY").empty();
  found.runtime_folder = variable("XDG_RUNTIME_DIR");
  return found;
}

Result<Endpoint> choose_endpoint(const Config& config, const DockerSurroundings& surroundings) {
  const auto& configured = config.runtime.docker.socket;
  if (config.is_set("runtime.docker.socket") || configured != kDefaultSocket) {
    return of_address(configured,
                      "runtime.docker.socket (" + config.origin_of("runtime.docker.socket").describe() + ")",
                      surroundings);
  }
  if (!surroundings.docker_host.empty())
    return of_address(surroundings.docker_host, "DOCKER_HOST", surroundings);
  if (const auto context = current_context(surroundings); !context.empty() && context != "default") {
    return of_context(context, surroundings);
  }
  const auto rootless = surroundings.runtime_folder + "/docker.sock";
  const bool is_rootless = ::access(std::string(kDefaultSocket).c_str(), F_OK) != 0 &&
                           !surroundings.runtime_folder.empty() && ::access(rootless.c_str(), F_OK) == 0;
  return of_address(is_rootless ? rootless : std::string(kDefaultSocket),
                    is_rootless ? "the socket of a rootless daemon" : "the default", surroundings);
}

}  // namespace prx::backends
