#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "protocol/slot_request.hpp"

namespace prx::protocol {

/// The owning twin of ExpectedFile.
struct ExpectedFields {
  std::string path;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

using SealKey = std::array<std::byte, kSealKeySize>;

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
  std::vector<ExpectedFields> expected;
  std::optional<SealKey> key;
};

/// All frames of the request, ready to send. Empty when it is over kMaxRequest. Strings must hold no NUL.
[[nodiscard]] std::optional<std::string> encode_request_frames(const RequestFields& fields);

}  // namespace prx::protocol
