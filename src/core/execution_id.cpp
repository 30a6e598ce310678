#include "core/execution_id.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <chrono>

namespace prx::core {

std::string make_execution_id() {
  static const auto kStart =
      std::chrono::system_clock::now().time_since_epoch() / std::chrono::milliseconds(1);
  static std::atomic<std::uint64_t> counter{0};
  return fmt::format("e-{:x}-{:x}-{:x}", kStart, ::getpid(), ++counter);
}

}  // namespace prx::core
