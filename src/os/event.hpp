#pragma once

#include <prx/result.hpp>

#include "base/fd.hpp"

namespace prx::os {

/// Something that happens once, for whoever polls the descriptor: it is readable from then on. Thread-safe.
class Event {
 public:
  /// Error kind exhausted.
  [[nodiscard]] static Result<Event> open();

  void set() const noexcept;
  [[nodiscard]] int fd() const noexcept { return fd_.get(); }

 private:
  explicit Event(base::Fd fd) : fd_(std::move(fd)) {}

  base::Fd fd_;
};

}  // namespace prx::os
