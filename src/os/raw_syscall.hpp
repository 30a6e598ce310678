// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <asm/unistd.h>

/// For code that runs in a child which shares the memory of an instrumented parent.
#define PRX_NO_SANITIZE __attribute__((no_sanitize("address", "thread", "undefined")))

namespace prx::os {

/// A system call without libc: returns its result, or a negative errno. For code that runs where libc may
/// not be used: prx-init, and a child between clone and exec.
#if defined(__clang_analyzer__)
// The analyzer does not see what the assembly writes; of a function that is defined elsewhere it expects it.
long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0, long e = 0,
                 long f = 0) noexcept;
#else
PRX_NO_SANITIZE inline long raw_syscall(long number, long a = 0, long b = 0, long c = 0, long d = 0,
                                        long e = 0, long f = 0) noexcept {
#if defined(__x86_64__)
  long result = number;
  register const long r10 asm("r10") = d;
  register const long r8 asm("r8") = e;
  register const long r9 asm("r9") = f;
  asm volatile("syscall"
               : "+a"(result)
               : "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
               : "rcx", "r11", "memory");
  return result;
#elif defined(__aarch64__)
  register const long x8 asm("x8") = number;
  register long x0 asm("x0") = a;
  register const long x1 asm("x1") = b;
  register const long x2 asm("x2") = c;
  register const long x3 asm("x3") = d;
  register const long x4 asm("x4") = e;
  register const long x5 asm("x5") = f;
  asm volatile("svc 0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
#else
#error "prx knows the system calls of x86_64 and aarch64"
#endif
}
#endif

/// For pointers among the arguments.
template <class T>
PRX_NO_SANITIZE inline long as_arg(T* pointer) noexcept {
  return reinterpret_cast<long>(pointer);
}

}  // namespace prx::os
