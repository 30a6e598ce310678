#pragma once

#include <mutex>
#include <string>
#include <vector>

#include <prx/result.hpp>

#include "backends/docker/endpoint.hpp"
#include "base/fd.hpp"
#include "io/descriptor_io.hpp"
#include "io/workers.hpp"
#include "os/event.hpp"
#include "os/tool_process.hpp"

namespace prx::backends {

/// Opens connections to one daemon. Whatever the way there, a connection is a connected socket that carries
/// plain HTTP. Thread-safe.
class Connector {
 public:
  /// Error kind exhausted.
  [[nodiscard]] static Result<std::unique_ptr<Connector>> make(Endpoint endpoint);
  /// Ends what carries the connections.
  ~Connector();
  Connector(const Connector&) = delete;
  Connector& operator=(const Connector&) = delete;

  [[nodiscard]] const Endpoint& endpoint() const noexcept { return endpoint_; }

  /// Errors of step "docker": unavailable (nobody listens there), denied (no permission, a certificate that
  /// is not accepted), invalid_request, disconnected (ETIMEDOUT, ECANCELED).
  [[nodiscard]] Result<base::Fd> connect(const io::Patience& patience);

  /// What the program that carries a connection said last (ssh); empty where none does.
  [[nodiscard]] std::string complaint();

 private:
  Connector(Endpoint endpoint, os::Event stop);

  [[nodiscard]] Result<base::Fd> connect_unix(const io::Patience& patience) const;
  [[nodiscard]] Result<base::Fd> connect_tcp(const io::Patience& patience);
  [[nodiscard]] Result<base::Fd> connect_ssh();
  [[nodiscard]] Error connect_error(int error_number) const;

  const Endpoint endpoint_;
  const os::Event stop_;
  std::mutex mutex_;
  std::vector<os::ToolProcess> carriers_;  // guarded by mutex_: ssh, one a connection
  std::string last_complaint_;             // guarded by mutex_
  io::Workers workers_;                    // name look-ups, TLS tunnels
};

}  // namespace prx::backends
