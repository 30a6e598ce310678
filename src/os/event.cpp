#include "os/event.hpp"

#include <sys/eventfd.h>

#include <cerrno>
#include <cstdint>
#include <utility>

#include "os/pipe.hpp"

namespace prx::os {

Result<Event> Event::open() {
  base::Fd fd(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!fd.is_open()) return system_error("eventfd", errno);
  return Event(std::move(fd));
}

void Event::set() const noexcept {
  const std::uint64_t one = 1;
  // Fails only where it was set some 2^64 times.
  [[maybe_unused]] const auto size = ::write(fd_.get(), &one, sizeof(one));
}

}  // namespace prx::os
