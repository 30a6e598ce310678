#include "support/artefacts.hpp"

namespace prx::test {

std::string prx_path() {
  return PRX_TEST_BINARY_DIR "/prx";
}

std::string prx_init_path() {
  return PRX_TEST_BINARY_DIR "/prx-init";
}

std::string probe_path(std::string_view name) {
  return std::string(PRX_TEST_BINARY_DIR "/probes/") += name;
}

std::string source_path(std::string_view relative) {
  return std::string(PRX_TEST_SOURCE_DIR "/") += relative;
}

}  // namespace prx::test
