#include <prx/version.hpp>

namespace prx {
const char* version() noexcept {
  return PRX_VERSION;
}
}  // namespace prx
