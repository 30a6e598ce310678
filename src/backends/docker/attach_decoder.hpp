#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "core/stream_decoder.hpp"

namespace prx::backends {

/// Takes apart what a daemon sends to whoever is attached to a container without terminal: pieces of stdout
/// and stderr, each behind a header of eight bytes. prx-init speaks on stdout alone; nothing in the container
/// has its stderr, so that anything there is the engine's.
class AttachDecoder final : public core::StreamDecoder {
 public:
  [[nodiscard]] bool decode(std::span<const std::byte> from, std::vector<std::byte>& to) override;

 private:
  [[nodiscard]] bool begin_piece();

  std::array<std::byte, 8> header_{};
  std::size_t header_size_ = 0;  // read so far
  std::uint32_t left_ = 0;       // of the piece
  bool wanted_ = false;          // the piece is stdout
};

}  // namespace prx::backends
