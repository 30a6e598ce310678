#pragma once

#include <wasmtime.h>

#include <cstddef>
#include <cstdint>

namespace prx::wasm {

/// The linear memories of the one program of this process, bounded together and to the byte. The engine's own
/// limiter bounds each memory for itself and does not tell what it has refused.
class GuestMemory {
 public:
  void set_limit(std::uint64_t bytes) { limit_ = bytes; }
  /// Memories of an engine made with `config` come from here. Lives as long as the engine.
  void serve(wasm_config_t* config);

  [[nodiscard]] bool was_refused() const { return refused_; }

 private:
  struct Memory;

  static wasmtime_error_t* create(void* env, const wasm_memorytype_t* type, std::size_t minimum,
                                  std::size_t maximum, std::size_t reserved, std::size_t guard,
                                  wasmtime_linear_memory_t* made);
  static std::uint8_t* get(void* env, std::size_t* size, std::size_t* capacity);
  static wasmtime_error_t* grow(void* env, std::size_t size);
  static void destroy(void* env);
  [[nodiscard]] bool may_have(std::uint64_t more);

  std::uint64_t limit_ = 0;
  std::uint64_t used_ = 0;
  bool refused_ = false;
};

}  // namespace prx::wasm
