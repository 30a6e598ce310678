#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace prx::protocol {

/// A directory of this machine as a WebAssembly program sees it.
struct WasmDirectory {
  std::string host;   ///< absolute, links resolved
  std::string guest;  ///< absolute
  bool writable = false;

  friend bool operator==(const WasmDirectory&, const WasmDirectory&) = default;
};

/// What a worker (src/wasm_workers) is told beside the code that it runs.
struct WasmSetup {
  std::uint64_t max_memory = 0;  ///< bytes of linear memory, all memories of the program together
  std::vector<WasmDirectory> directories;
  /// Slots wait for their call: what makes their beginning faster is worth its time.
  bool parks = false;

  friend bool operator==(const WasmSetup&, const WasmSetup&) = default;
};

/// The descriptors of a worker beside those of prx-init (src/init/sys.hpp).
inline constexpr int kWasmSetupFd = 9;  ///< an encoded WasmSetup
inline constexpr int kWasmCodeFd = 10;  ///< compiled code, sealed
/// Of a worker that compiles.
inline constexpr int kCompileInputFd = 3;    ///< a module, binary or text
inline constexpr int kCompileOutputFd = 4;   ///< empty: for the code
inline constexpr int kCompileMessageFd = 5;  ///< empty: for what is wrong with the module

[[nodiscard]] std::string encode_wasm_setup(const WasmSetup& setup);
[[nodiscard]] std::optional<WasmSetup> decode_wasm_setup(std::span<const std::byte> bytes);

}  // namespace prx::protocol
