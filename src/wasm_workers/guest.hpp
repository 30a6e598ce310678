#pragma once

#include "wasm_workers/engine.hpp"

namespace prx::wasm {

/// What every guest of this process runs on: set once, before the first fork.
struct Loaded {
  std::unique_ptr<Engine> engine;
  protocol::WasmSetup setup;
};
[[nodiscard]] Loaded& loaded();

/// Takes up code and settings from the worker's descriptors.
[[nodiscard]] std::optional<Failure> load_program();

/// How a call reaches a parked guest: this header with the three standard streams attached, and then the
/// bytes of the lists as they stand in the request.
struct GuestCallHeader {
  std::uint32_t argc;
  std::uint32_t argv_size;
  std::uint32_t envc;
  std::uint32_t env_size;
  std::uint32_t directory_size;
  std::uint32_t has_terminal;
};

/// The life of a forked guest: enters the Landlock domain of `ruleset` (-1: none), waits on `socket` for its
/// call, runs it, reports there, and ends. `ready_first`: nobody waits for it yet.
[[noreturn]] void live_as_guest(int socket, int ruleset, bool ready_first);

}  // namespace prx::wasm
