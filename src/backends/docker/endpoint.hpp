#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <prx/config.hpp>
#include <prx/result.hpp>

namespace prx::backends {

/// Certificates of a TLS connection, as Docker names them: ca.pem, cert.pem, key.pem.
struct TlsFiles {
  std::string ca;
  std::string cert;
  std::string key;
  bool verify = true;
};

/// Where a daemon listens.
struct Endpoint {
  enum class Kind : std::uint8_t { unix_socket, tcp, ssh };

  Kind kind = Kind::unix_socket;
  std::string path;        ///< of a unix socket
  std::string user;        ///< ssh; may be empty
  std::string host;        ///< tcp, ssh
  std::uint16_t port = 0;  ///< ssh: 0 for what ssh itself would take
  std::optional<TlsFiles> tls{};
  std::string address;    ///< as it was written
  std::string chosen_by;  ///< the key, variable or file behind it, for people

  /// Whether paths of this machine may mean something to the daemon.
  [[nodiscard]] bool is_local() const noexcept { return kind == Kind::unix_socket; }
};

/// "unix:///path", "/path", "tcp://host[:port]", "ssh://[user@]host[:port]". Error kind invalid_request.
[[nodiscard]] Result<Endpoint> parse_endpoint(std::string_view address);

/// What the choice depends on, beside the configuration.
struct DockerSurroundings {
  std::string docker_host;     ///< DOCKER_HOST
  std::string docker_context;  ///< DOCKER_CONTEXT
  std::string config_folder;   ///< DOCKER_CONFIG, or ~/.docker; may be empty
  std::string cert_folder;     ///< DOCKER_CERT_PATH, or the configuration's folder
  bool tls_verify = false;     ///< DOCKER_TLS_VERIFY is set
  std::string runtime_folder;  ///< XDG_RUNTIME_DIR

  [[nodiscard]] static DockerSurroundings of_process();
};

/// The key that was set, DOCKER_HOST, the current context, the default, a rootless daemon's. Reads Docker's
/// configuration. Error kind invalid_request.
[[nodiscard]] Result<Endpoint> choose_endpoint(const Config& config, const DockerSurroundings& surroundings);

}  // namespace prx::backends
