#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/slot_request.hpp"

namespace prx::protocol {

/// What the host fills in; the owning twin of SlotRequest.
struct RequestFields {
  StdioKind stdio[3] = {StdioKind::null, StdioKind::null, StdioKind::null};
  bool pass_terminal = true;
  std::uint16_t rows = 0;
  std::uint16_t columns = 0;
  std::chrono::nanoseconds timeout{0};
  std::chrono::nanoseconds grace{0};
  std::string working_dir;
  std::string file;
  std::vector<std::string> argv;
  std::vector<std::string> env;
};

/// All frames of the request, ready to send. Empty when it is over kMaxRequest. Strings must hold no NUL.
[[nodiscard]] std::optional<std::string> encode_request_frames(const RequestFields& fields);

}  // namespace prx::protocol
