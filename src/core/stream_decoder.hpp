#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace prx::core {

/// Takes a slot's frames out of what a carrier (a container engine) has wrapped around them.
class StreamDecoder {
 public:
  virtual ~StreamDecoder() = default;

  /// Appends to `to` what the slot's program has written. False where `from` is not what such a carrier sends.
  [[nodiscard]] virtual bool decode(std::span<const std::byte> from, std::vector<std::byte>& to) = 0;
};

}  // namespace prx::core
