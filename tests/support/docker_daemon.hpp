#pragma once

#include <cstdint>
#include <string>

namespace prx::test {

// The tests' own docker daemon (tools/test-docker.sh), with the images busybox:prx and debian:bookworm-slim.

/// Why there is none; empty where there is one.
[[nodiscard]] std::string why_no_docker_daemon();

[[nodiscard]] std::string docker_socket();
/// Where it listens with TLS, for "localhost" alone.
[[nodiscard]] std::uint16_t docker_tls_port();
/// With ca.pem, cert.pem and key.pem of a client.
[[nodiscard]] std::string docker_certificates();

}  // namespace prx::test
