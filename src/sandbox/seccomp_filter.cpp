#include "sandbox/seccomp_filter.hpp"

#include <linux/seccomp.h>

#include <cstddef>
#include <span>

namespace prx::sandbox {
namespace {

/// A part of a program. Its jumps stay inside, so parts can be put one after another; it always returns.
using Code = std::vector<sock_filter>;

/// Numbers from `first` up to the next range's have this verdict.
struct Range {
  std::uint32_t first = 0;
  CallVerdict verdict;
};

constexpr std::size_t kMaxConditionalJump = 255;

constexpr sock_filter statement(unsigned code, std::uint32_t operand) {
  return {static_cast<std::uint16_t>(code), 0, 0, operand};
}
constexpr sock_filter jump(unsigned code, std::uint32_t operand, std::size_t if_true, std::size_t if_false) {
  return {static_cast<std::uint16_t>(code), static_cast<std::uint8_t>(if_true),
          static_cast<std::uint8_t>(if_false), operand};
}
constexpr sock_filter load(std::size_t offset) {
  return statement(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
}
constexpr sock_filter give(std::uint32_t action) {
  return statement(BPF_RET | BPF_K, action);
}

void append(Code& code, const Code& part) {
  code.insert(code.end(), part.begin(), part.end());
}

/// Falls through when the test passes, otherwise jumps over the `rest` instructions behind it.
Code test_code(const protocol::WordTest& test, std::size_t rest) {
  Code code{load(offsetof(seccomp_data, args) + sizeof(std::uint32_t) * test.word)};
  if (test.mask != 0xffffffff) code.push_back(statement(BPF_ALU | BPF_AND | BPF_K, test.mask));
  code.push_back(test.equal ? jump(BPF_JMP | BPF_JEQ | BPF_K, test.value, 0, rest)
                            : jump(BPF_JMP | BPF_JEQ | BPF_K, test.value, rest, 0));
  return code;
}

/// Returns the action when all tests pass; otherwise falls out at its end.
Code rule_code(const ArgumentRule& rule) {
  Code code{give(rule.action)};
  for (auto test = rule.tests.rbegin(); test != rule.tests.rend(); ++test) {
    Code longer = test_code(*test, code.size());
    append(longer, code);
    code = std::move(longer);
  }
  return code;
}

Code verdict_code(const CallVerdict& verdict) {
  Code code;
  for (const ArgumentRule& rule : verdict.rules) append(code, rule_code(rule));
  code.push_back(give(verdict.action));
  return code;
}

/// With the call's number loaded.
Code search_code(std::span<const Range> ranges) {
  if (ranges.size() == 1) return verdict_code(ranges.front().verdict);
  const std::size_t middle = ranges.size() / 2;
  const Code below = search_code(ranges.first(middle));
  const Code above = search_code(ranges.subspan(middle));
  const std::uint32_t split = ranges[middle].first;
  Code code;
  if (below.size() <= kMaxConditionalJump) {
    code.push_back(jump(BPF_JMP | BPF_JGE | BPF_K, split, below.size(), 0));
  } else {
    code.push_back(jump(BPF_JMP | BPF_JGE | BPF_K, split, 0, 1));
    code.push_back(statement(BPF_JMP | BPF_JA, static_cast<std::uint32_t>(below.size())));
  }
  append(code, below);
  append(code, above);
  return code;
}

void add_range(std::vector<Range>& ranges, std::uint32_t first, const CallVerdict& verdict) {
  if (ranges.empty() || ranges.back().verdict != verdict) ranges.push_back({first, verdict});
}

/// All 2^32 numbers.
std::vector<Range> ranges_of(const SeccompTable& table) {
  const CallVerdict unlisted{{}, table.unlisted};
  std::vector<Range> ranges;
  std::uint32_t next = 0;
  for (const auto& [number, verdict] : table.calls) {
    if (number != next) add_range(ranges, next, unlisted);
    add_range(ranges, number, verdict);
    next = number + 1;
  }
  add_range(ranges, next, unlisted);
  if (table.architecture == os::Architecture::x86_64) {
    add_range(ranges, os::kX32Bit, {{}, table.foreign});
    // Negative: what a debugger writes to have a call skipped.
    add_range(ranges, 2 * os::kX32Bit, unlisted);
  }
  return ranges;
}

}  // namespace

std::vector<sock_filter> assemble(const SeccompTable& table) {
  Code code{
      load(offsetof(seccomp_data, arch)),
      jump(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(table.architecture), 1, 0),
      give(table.foreign),
      load(offsetof(seccomp_data, nr)),
  };
  append(code, search_code(ranges_of(table)));
  return code;
}

}  // namespace prx::sandbox
