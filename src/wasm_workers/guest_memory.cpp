#include "wasm_workers/guest_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <memory>

namespace prx::wasm {

/// A reservation without access, of which the first `size` bytes are memory. Compiled code leaves out bounds
/// checks as far as reservation and guard reach, so both are what the engine asks for.
struct GuestMemory::Memory {
  GuestMemory* owner;
  std::uint8_t* base;
  std::size_t size;
  std::size_t capacity;
  std::size_t mapped;
};

void GuestMemory::serve(wasm_config_t* config) {
  wasmtime_memory_creator_t creator{this, create, nullptr};
  wasmtime_config_host_memory_creator_set(config, &creator);
}

bool GuestMemory::may_have(std::uint64_t more) {
  if (more <= limit_ - used_) return true;
  refused_ = true;
  return false;
}

wasmtime_error_t* GuestMemory::create(void* env, const wasm_memorytype_t*, std::size_t minimum,
                                      std::size_t maximum, std::size_t reserved, std::size_t guard,
                                      wasmtime_linear_memory_t* made) {
  auto& self = *static_cast<GuestMemory*>(env);
  if (!self.may_have(minimum)) return wasmtime_error_new("its memory is larger than max_memory_mb");
  // Memory that moves would make every access slower: what the limit allows is reserved at once.
  const auto most = std::min<std::uint64_t>(maximum, self.limit_);
  const auto capacity = std::max<std::size_t>({reserved, minimum, static_cast<std::size_t>(most)});
  const auto mapped = capacity + guard;
  void* base = ::mmap(nullptr, mapped, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return wasmtime_error_new("no address space for its memory");
  if (minimum > 0 && ::mprotect(base, minimum, PROT_READ | PROT_WRITE) != 0) {
    ::munmap(base, mapped);
    return wasmtime_error_new("no memory");
  }
  self.used_ += minimum;
  auto memory =
      std::make_unique<Memory>(Memory{&self, static_cast<std::uint8_t*>(base), minimum, capacity, mapped});
  *made = {memory.release(), get, grow, destroy};
  return nullptr;
}

std::uint8_t* GuestMemory::get(void* env, std::size_t* size, std::size_t* capacity) {
  const auto& memory = *static_cast<Memory*>(env);
  *size = memory.size;
  *capacity = memory.capacity;
  return memory.base;
}

wasmtime_error_t* GuestMemory::grow(void* env, std::size_t size) {
  auto& memory = *static_cast<Memory*>(env);
  const auto more = size - memory.size;
  if (!memory.owner->may_have(more) || size > memory.capacity) return wasmtime_error_new("over its limit");
  if (::mprotect(memory.base + memory.size, more, PROT_READ | PROT_WRITE) != 0) {
    return wasmtime_error_new("no memory");
  }
  memory.owner->used_ += more;
  memory.size = size;
  return nullptr;
}

void GuestMemory::destroy(void* env) {
  const std::unique_ptr<Memory> memory(static_cast<Memory*>(env));
  memory->owner->used_ -= memory->size;
  ::munmap(memory->base, memory->mapped);
}

}  // namespace prx::wasm
