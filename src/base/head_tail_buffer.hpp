#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <prx/output.hpp>

namespace prx::base {

/// Keeps at most `limit` bytes of a stream, half from its head and half from its tail, and counts the
/// rest. Memory grows with what is kept, never past the limit. Once it is full, its second half is a ring:
/// appending costs what the copy costs, however long the stream.
class HeadTailBuffer {
 public:
  explicit HeadTailBuffer(std::uint64_t limit);

  void append(std::string_view bytes);

  /// Counts bytes that come after these and were never seen.
  void count_lost(std::uint64_t bytes) { lost_ += bytes; }

  [[nodiscard]] std::uint64_t total_bytes() const noexcept { return total_; }
  /// Head and tail joined. Leaves the buffer empty.
  [[nodiscard]] CapturedStream take();

 private:
  void grow_for(std::size_t more);
  void append_to_ring(std::string_view bytes);

  std::size_t head_limit_;
  std::size_t tail_limit_;
  std::string kept_;
  std::size_t ring_begin_ = 0;  // oldest byte of the ring, from head_limit_ on
  std::uint64_t total_ = 0;
  std::uint64_t lost_ = 0;
};

}  // namespace prx::base
