// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "protocol/cursor.hpp"
#include "protocol/seal.hpp"

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

/// What must be found at a path of the slot before the command may start there: its mounts were made by somebody
/// else (a container engine), and from names that may have come to mean another file since they were checked.
struct ExpectedFile {
  std::string_view path;
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
};

/// Those of a request, as StringList.
struct ExpectedFiles {
  std::span<const std::byte> encoded;
  std::uint32_t count = 0;

  /// Until `visit` returns false.
  template <class F>
  void for_each(F&& visit) const {
    Reader reader(encoded);
    for (std::uint32_t i = 0; i < count; ++i) {
      ExpectedFile file;
      file.path = reader.string();
      file.device = reader.u64();
      file.inode = reader.u64();
      if (!visit(file)) return;
    }
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
  ExpectedFiles expected;
  std::span<const std::byte> key;  ///< of the trailer's seal, kSealKeySize bytes; empty: it is not sealed
};

/// The views point into `bytes`. False when it is not exactly one well-formed request.
[[nodiscard]] bool decode_request(std::span<const std::byte> bytes, SlotRequest& request) noexcept;

}  // namespace prx::protocol
