#include "sandbox/seccomp_filter.hpp"

#include <gtest/gtest.h>

#include <linux/seccomp.h>

#include <vector>

#include "sandbox/bpf_interpreter.hpp"

namespace prx::sandbox {
namespace {

using os::Architecture;
using protocol::WordTest;

constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t kDeny = SECCOMP_RET_ERRNO | 1U;
constexpr std::uint32_t kUnlisted = SECCOMP_RET_ERRNO | 38U;
constexpr std::uint32_t kForeign = SECCOMP_RET_ERRNO | 22U;
constexpr std::uint32_t kI386 = AUDIT_ARCH_I386;

seccomp_data call_of(std::uint32_t number, Architecture architecture = Architecture::x86_64) {
  seccomp_data call{};
  call.nr = static_cast<int>(number);
  call.arch = static_cast<std::uint32_t>(architecture);
  return call;
}

SeccompTable table_of(std::map<std::uint32_t, CallVerdict> calls,
                      Architecture architecture = Architecture::x86_64) {
  return {architecture, std::move(calls), kUnlisted, kForeign};
}

TEST(SeccompFilter, AnEmptyTableKnowsNoCall) {
  for (const Architecture architecture : {Architecture::x86_64, Architecture::aarch64}) {
    const auto filter = assemble(table_of({}, architecture));
    EXPECT_EQ(run_filter(filter, call_of(0, architecture)), kUnlisted);
    EXPECT_EQ(run_filter(filter, call_of(0xffffffff, architecture)), kUnlisted);
  }
}

TEST(SeccompFilter, NumbersAreFoundAndTheirNeighboursAreNot) {
  const auto filter = assemble(table_of({{0, {{}, kAllow}}, {7, {{}, kDeny}}, {8, {{}, kAllow}}}));
  const std::vector<std::uint32_t> verdicts = {kAllow,    kUnlisted, kUnlisted, kUnlisted, kUnlisted,
                                               kUnlisted, kUnlisted, kDeny,     kAllow,    kUnlisted};
  for (std::uint32_t number = 0; number < verdicts.size(); ++number) {
    EXPECT_EQ(run_filter(filter, call_of(number)), verdicts[number]) << number;
  }
}

TEST(SeccompFilter, ACallOfAnotherArchitectureIsForeign) {
  const auto filter = assemble(table_of({{20, {{}, kAllow}}}));
  EXPECT_EQ(run_filter(filter, call_of(20)), kAllow);
  seccomp_data i386 = call_of(20);
  i386.arch = kI386;
  EXPECT_EQ(run_filter(filter, i386), kForeign);
  EXPECT_EQ(run_filter(filter, call_of(20, Architecture::aarch64)), kForeign);
}

TEST(SeccompFilter, TheX32BitIsForeignOnX86Only) {
  const std::map<std::uint32_t, CallVerdict> calls = {{39, {{}, kAllow}}};
  const auto x86 = assemble(table_of(calls));
  for (const std::uint32_t number : {0x40000000U, 0x40000000U + 39, 0x40000000U + 512, 0x7fffffffU}) {
    EXPECT_EQ(run_filter(x86, call_of(number)), kForeign) << number;
  }
  EXPECT_EQ(run_filter(x86, call_of(0x3fffffff)), kUnlisted);
  EXPECT_EQ(run_filter(x86, call_of(0x80000000)), kUnlisted);
  EXPECT_EQ(run_filter(x86, call_of(0xffffffff)), kUnlisted) << "a debugger has the call skipped";
  const auto arm = assemble(table_of(calls, Architecture::aarch64));
  EXPECT_EQ(run_filter(arm, call_of(0x40000000 + 39, Architecture::aarch64)), kUnlisted);
}

TEST(SeccompFilter, TheFirstRuleThatMatchesDecides) {
  const WordTest two{2, 0xffffffff, 2, true};
  const WordTest odd{4, 1, 1, true};
  const auto filter = assemble(table_of({{5, {{{{two, odd}, kDeny}, {{two}, kForeign}}, kAllow}}}));
  seccomp_data call = call_of(5);
  EXPECT_EQ(run_filter(filter, call), kAllow);
  call.args[1] = 2;
  EXPECT_EQ(run_filter(filter, call), kForeign);
  call.args[2] = 7;
  EXPECT_EQ(run_filter(filter, call), kDeny);
  call.args[1] = 3;
  EXPECT_EQ(run_filter(filter, call), kAllow);
}

TEST(SeccompFilter, HighHalvesHideNothingAndCanBeTested) {
  const WordTest low{2, 0xffffffff, 0x5412, true};
  const WordTest high{5, 0xffffffff, 0, false};
  const auto filter = assemble(table_of({{16, {{{{low}, kDeny}, {{high}, kForeign}}, kAllow}}}));
  seccomp_data call = call_of(16);
  for (const std::uint64_t hidden : {0x5412ULL, 0x1'00005412ULL, 0xffffffff'00005412ULL}) {
    call.args[1] = hidden;
    EXPECT_EQ(run_filter(filter, call), kDeny) << hidden;
  }
  call.args[1] = 0x5413;
  EXPECT_EQ(run_filter(filter, call), kAllow);
  call.args[2] = 0x1'00000000;
  EXPECT_EQ(run_filter(filter, call), kForeign);
}

TEST(SeccompFilter, MasksAndUnequalTests) {
  const WordTest any{0, 0xf0, 0, false};
  const auto filter = assemble(table_of({{1, {{{{any}, kDeny}}, kAllow}}}));
  seccomp_data call = call_of(1);
  for (const auto& [bits, verdict] : std::vector<std::pair<std::uint64_t, std::uint32_t>>{
           {0, kAllow}, {0x0f, kAllow}, {0x10, kDeny}, {0x80, kDeny}, {0xff, kDeny}, {0x100, kAllow}}) {
    call.args[0] = bits;
    EXPECT_EQ(run_filter(filter, call), verdict) << bits;
  }
}

TEST(SeccompFilter, JumpsMayBeLongerThanOneByte) {
  // Every number has a verdict of its own, so that nothing can be merged.
  std::map<std::uint32_t, CallVerdict> calls;
  for (std::uint32_t number = 0; number < 1500; ++number) {
    calls[number] = {{}, SECCOMP_RET_ERRNO | (number + 1)};
  }
  const auto filter = assemble(table_of(calls));
  ASSERT_LE(filter.size(), std::size_t{BPF_MAXINSNS});
  for (std::uint32_t number = 0; number < 1500; ++number) {
    ASSERT_EQ(run_filter(filter, call_of(number)), SECCOMP_RET_ERRNO | (number + 1));
  }
  EXPECT_EQ(run_filter(filter, call_of(1500)), kUnlisted);
}

TEST(SeccompFilter, EqualNeighboursCostNothingAndTheSearchIsShallow) {
  std::map<std::uint32_t, CallVerdict> calls;
  for (std::uint32_t number = 0; number < 400; ++number) calls[number] = {{}, kAllow};
  EXPECT_LT(assemble(table_of(calls)).size(), 16U);
  for (std::uint32_t number = 0; number < 400; number += 2) calls[number].action = kDeny;
  const auto filter = assemble(table_of(calls));
  for (std::uint32_t number = 0; number < 450; ++number) {
    std::size_t executed = 0;
    EXPECT_TRUE(run_filter(filter, call_of(number), &executed));
    EXPECT_LE(executed, 24U) << number;
  }
}

}  // namespace
}  // namespace prx::sandbox
