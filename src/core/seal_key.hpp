#pragma once

#include <prx/result.hpp>

#include "protocol/request_encoder.hpp"

namespace prx::core {

/// Of the kernel's random bytes; each is used once.
[[nodiscard]] Result<protocol::SealKey> make_seal_key();

}  // namespace prx::core
