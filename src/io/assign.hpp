#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>

#include <prx/result.hpp>

#include "base/fd.hpp"

namespace prx::io {

/// Gives `fd` to `stream`, which has none, and makes it non-blocking; closed where the reactor cannot take
/// one more (error kind exhausted).
///
/// A wait on such a stream ends with an error when the stream was closed, or when the kernel had no memory to
/// watch it once more. The second is no reason to stop: whoever waits tries to read or write, which does not
/// block, and waits again.
[[nodiscard]] Result<void> assign(boost::asio::posix::stream_descriptor& stream, base::Fd fd);

}  // namespace prx::io
