// What the compiler needs from a C library, and the entry point: prx-init is linked with nothing, so that it
// starts fast, stays small enough to be copied into a memfd for every host, and cannot call what may
// allocate.
#include <cstddef>

#include "init/sys.hpp"

extern "C" {

void* memcpy(void* to, const void* from, std::size_t size) {
  auto* target = static_cast<unsigned char*>(to);
  const auto* source = static_cast<const unsigned char*>(from);
  for (std::size_t i = 0; i < size; ++i) target[i] = source[i];
  return to;
}

void* memmove(void* to, const void* from, std::size_t size) {
  auto* target = static_cast<unsigned char*>(to);
  const auto* source = static_cast<const unsigned char*>(from);
  if (target < source) return memcpy(to, from, size);
  while (size > 0) {
    --size;
    target[size] = source[size];
  }
  return to;
}

void* memset(void* to, int value, std::size_t size) {
  auto* target = static_cast<unsigned char*>(to);
  for (std::size_t i = 0; i < size; ++i) target[i] = static_cast<unsigned char>(value);
  return to;
}

int memcmp(const void* left, const void* right, std::size_t size) {
  const auto* a = static_cast<const unsigned char*>(left);
  const auto* b = static_cast<const unsigned char*>(right);
  for (std::size_t i = 0; i < size; ++i) {
    if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return 0;
}

std::size_t strlen(const char* text) {
  std::size_t size = 0;
  while (text[size] != '\0') ++size;
  return size;
}

int prx_init_main(int argc, char** argv);

/// The kernel starts here with argc, argv, envp on the stack.
[[noreturn, gnu::used]] void prx_init_start(long* stack) {
  const auto argc = static_cast<int>(stack[0]);
  auto** argv = reinterpret_cast<char**>(stack + 1);
  prx::init::exit_process(prx_init_main(argc, argv));
}

}  // extern "C"

#if defined(__x86_64__)
asm(R"(
.globl _start
.type _start, @function
_start:
  xor %ebp, %ebp
  mov %rsp, %rdi
  and $-16, %rsp
  call prx_init_start
  ud2
)");
#elif defined(__aarch64__)
asm(R"(
.globl _start
.type _start, @function
_start:
  mov x29, #0
  mov x30, #0
  mov x0, sp
  and sp, x0, #-16
  bl prx_init_start
  brk #0
)");
#endif
