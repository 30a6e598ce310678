#pragma once

#include <boost/asio/io_context.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include <prx/result.hpp>

#include "base/fd.hpp"

namespace prx::core {

/// Where the bytes of a command's stdin go: into a descriptor that it reads from (descriptor_sink.hpp), or
/// into frames of its slot's stream (frame_sink.hpp). On the reactor.
class InputSink {
 public:
  InputSink() = default;
  virtual ~InputSink() = default;
  InputSink(const InputSink&) = delete;
  InputSink& operator=(const InputSink&) = delete;

  /// How many of these bytes, from the first on, it took; never blocks. Nothing: the command reads no more.
  [[nodiscard]] virtual std::optional<std::size_t> take(std::string_view bytes) = 0;
  /// Calls `ready` once, when it may take more or is closed by the command; never from within this call.
  virtual void when_ready(std::function<void()> ready) = 0;
  /// The command reads its end of file after what was taken.
  virtual void end() = 0;
  /// Lets go; `ready` is destroyed, called or not.
  virtual void close() = 0;
};

}  // namespace prx::core
