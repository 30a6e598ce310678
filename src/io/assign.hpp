#pragma once

#include <boost/asio/posix/stream_descriptor.hpp>

#include <prx/result.hpp>

#include "base/fd.hpp"

namespace prx::io {

/// Gives `fd` to `stream`, which has none, and makes it non-blocking; closed where the reactor cannot take
/// one more (error kind exhausted).
[[nodiscard]] Result<void> assign(boost::asio::posix::stream_descriptor& stream, base::Fd fd);

}  // namespace prx::io
