#include "support/docker_daemon.hpp"

#include <unistd.h>

#include "support/temp_dir.hpp"

namespace prx::test {
namespace {
const std::string kFolder = PRX_TEST_BINARY_DIR "/docker";
}

std::string why_no_docker_daemon() {
  auto reason = read_file(kFolder + "/unavailable");
  while (reason.ends_with('\n')) reason.pop_back();
  if (!reason.empty()) return reason;
  return access(docker_socket().c_str(), F_OK) == 0 ? "" : "it was not started (tools/test-docker.sh start)";
}

std::string docker_socket() {
  return kFolder + "/docker.sock";
}

std::uint16_t docker_tls_port() {
  return static_cast<std::uint16_t>(std::stoi(read_file(kFolder + "/tls-port")));
}

std::string docker_certificates() {
  return kFolder + "/certs";
}

}  // namespace prx::test
