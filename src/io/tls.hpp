#pragma once

#include <string>

#include <prx/result.hpp>

#include "base/fd.hpp"
#include "io/descriptor_io.hpp"
#include "io/workers.hpp"

namespace prx::io {

struct TlsSettings {
  std::string host;         ///< that the certificate must be for: a name or an address
  std::string ca_file;      ///< who may have signed it; empty: whom the system trusts
  std::string cert_file;    ///< of the client; may be empty
  std::string key_file;     ///< of the client; may be empty
  bool verify_peer = true;  ///< false: the connection is encrypted, and nobody knows with whom
};

/// Makes a connected socket a TLS client (1.2 or newer) and returns a socket that carries the plain bytes.
/// One of `workers` moves them until either end is closed, or `stop_fd` is readable. Errors of step "tls":
/// unavailable (no libssl), invalid_request (a file that cannot be used), denied (the certificate),
/// disconnected.
[[nodiscard]] Result<base::Fd> open_tls(base::Fd socket, const TlsSettings& settings, Workers& workers,
                                        int stop_fd, const Patience& patience);

}  // namespace prx::io
