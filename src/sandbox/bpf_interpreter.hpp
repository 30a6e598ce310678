#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace prx::sandbox {

/// What a filter returns for a call, by the kernel's rules for classic BPF. Nothing where it would refuse the
/// program: an instruction it does not allow, a jump beyond the end, no return.
inline std::optional<std::uint32_t> run_filter(std::span<const sock_filter> filter, const seccomp_data& call,
                                               std::size_t* executed = nullptr) {
  std::uint32_t accumulator = 0;
  std::size_t steps = 0;
  for (std::size_t at = 0; at < filter.size(); ++at) {
    const sock_filter& step = filter[at];
    if (executed != nullptr) *executed = ++steps;
    switch (step.code) {
      case BPF_LD | BPF_W | BPF_ABS:
        if (step.k % 4 != 0 || step.k + 4 > sizeof(call)) return std::nullopt;
        std::memcpy(&accumulator, reinterpret_cast<const char*>(&call) + step.k, sizeof(accumulator));
        break;
      case BPF_ALU | BPF_AND | BPF_K:
        accumulator &= step.k;
        break;
      case BPF_JMP | BPF_JA:
        at += step.k;
        break;
      case BPF_JMP | BPF_JEQ | BPF_K:
        at += accumulator == step.k ? step.jt : step.jf;
        break;
      case BPF_JMP | BPF_JGE | BPF_K:
        at += accumulator >= step.k ? step.jt : step.jf;
        break;
      case BPF_RET | BPF_K:
        return step.k;
      default:
        return std::nullopt;
    }
  }
  return std::nullopt;
}

}  // namespace prx::sandbox
