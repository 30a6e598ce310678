// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/cursor.hpp"

namespace prx::protocol {

/// Where one of the command's standard streams comes from.
enum class StdioKind : std::uint8_t {
  null = 0,      ///< /dev/null of the slot
  passed = 1,    ///< the next descriptor that came with the request (local slots)
  framed = 2,    ///< data frames of the stream's channel (remote slots)
  terminal = 3,  ///< the pty that prx-init makes; then all three say so
};

/// A list of strings inside a request, each NUL-terminated in place. The text was checked by
/// decode_request().
struct StringList {
  std::span<const std::byte> encoded;
  std::uint32_t count = 0;

  template <class F>
  void for_each(F&& visit) const {
    Reader reader(encoded);
    for (std::uint32_t i = 0; i < count; ++i) visit(reader.string());
  }
};

/// One command, as the slot needs it: nothing here refers to the host.
struct SlotRequest {
  StdioKind stdio[3] = {StdioKind::null, StdioKind::null, StdioKind::null};
  /// With a terminal: false when the host wants its bytes as frames instead of the master itself.
  bool pass_terminal = true;
  std::uint16_t rows = 0;
  std::uint16_t columns = 0;
  std::uint64_t timeout_ns = 0;  ///< 0: none
  std::uint64_t grace_ns = 0;    ///< from SIGTERM to SIGKILL
  std::string_view working_dir;  ///< absolute; empty: where the slot is
  std::string_view file;         ///< without a slash: looked up in PATH of `env`
  StringList argv;               ///< argv[0] first
  StringList env;                ///< "NAME=value"
};

/// The views point into `bytes`. False when it is not exactly one well-formed request.
[[nodiscard]] bool decode_request(std::span<const std::byte> bytes, SlotRequest& request) noexcept;

}  // namespace prx::protocol
