#include "fault/failing_allocation.hpp"

#include <atomic>
#include <cstdlib>
#include <new>

namespace prx::test {
namespace {

/// Until the one that fails; 0 and below: none.
std::atomic<long> allocations_left{0};
std::atomic<bool> failed{false};

bool fails_now() {
  if (allocations_left.load(std::memory_order_relaxed) <= 0 || allocations_left.fetch_sub(1) != 1)
    return false;
  failed = true;
  return true;
}

}  // namespace

FailingAllocation::FailingAllocation(long nth) {
  failed = false;
  allocations_left = nth;
}
FailingAllocation::~FailingAllocation() {
  allocations_left = 0;
}
bool FailingAllocation::has_failed() {
  return failed;
}

namespace {

void* allocate(std::size_t size, std::size_t alignment) {
  void* const memory =
      fails_now() ? nullptr : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace
}  // namespace prx::test

// The array and nothrow forms call these.
void* operator new(std::size_t size) {
  return prx::test::allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return prx::test::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
