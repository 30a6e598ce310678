#include "core/seal_key.hpp"

#include <sys/random.h>

#include <cerrno>

#include "os/pipe.hpp"

namespace prx::core {

Result<protocol::SealKey> make_seal_key() {
  protocol::SealKey key{};
  // Up to 256 bytes come whole, or not at all while the kernel has no entropy yet (getrandom(2)).
  while (::getrandom(key.data(), key.size(), 0) != static_cast<ssize_t>(key.size())) {
    if (errno != EINTR) return os::system_error("getrandom", errno);
  }
  return key;
}

}  // namespace prx::core
