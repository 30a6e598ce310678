#include "sandbox/seccomp_profile.hpp"

#include <gtest/gtest.h>

#include <linux/seccomp.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sandbox/bpf_interpreter.hpp"

namespace prx::sandbox {
namespace {

using os::Architecture;
using protocol::kSeccompDenials;
using protocol::SeccompDenial;
using protocol::SeccompRule;
using Inet = SeccompOptions::Inet;
using Unix = SeccompOptions::Unix;

constexpr std::uint32_t kAllow = SECCOMP_RET_ALLOW;
constexpr std::uint32_t kNotify = SECCOMP_RET_USER_NOTIF;
constexpr std::uint32_t errno_verdict(int error) {
  return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
}

std::vector<SeccompOptions> all_profiles() {
  std::vector<SeccompOptions> profiles;
  for (const Architecture architecture : {Architecture::x86_64, Architecture::aarch64}) {
    for (const Inet inet : {Inet::none, Inet::streams, Inet::all}) {
      for (const Unix unix_sockets : {Unix::pairs, Unix::all}) {
        for (const unsigned bits : {0U, 1U, 2U, 3U, 4U, 5U, 6U, 7U}) {
          profiles.push_back(
              {architecture, inet, unix_sockets, (bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0});
        }
      }
    }
  }
  return profiles;
}

std::string name_of(const SeccompOptions& options) {
  return std::string(options.architecture == Architecture::x86_64 ? "x86_64" : "aarch64") + " inet " +
         std::to_string(static_cast<int>(options.inet)) + " unix " +
         std::to_string(static_cast<int>(options.unix_sockets)) + (options.own_ipc ? " own-ipc" : "") +
         (options.own_pids ? " own-pids" : "") + (options.observe ? " observed" : "");
}

seccomp_data call_of(std::uint32_t number, Architecture architecture, std::vector<std::uint64_t> args = {}) {
  seccomp_data call{};
  call.nr = static_cast<int>(number);
  call.arch = static_cast<std::uint32_t>(architecture);
  std::copy(args.begin(), args.end(), call.args);
  return call;
}

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The verdict as the lists say it, without table and program.
std::uint32_t expected(const SeccompOptions& options, const seccomp_data& call) {
  for (const SeccompDenial& denial : kSeccompDenials) {
    if (denial.on(options.architecture) != call.nr || !holds(denial, options) || !denial.matches(call))
      continue;
    return options.observe && denial.observed ? kNotify : errno_verdict(denial.error);
  }
  const auto name = os::syscall_name(options.architecture, static_cast<std::uint32_t>(call.nr));
  return contains(allowed_calls(), name) ? kAllow : errno_verdict(ENOSYS);
}

/// Argument values at and beside what the denials of a call test, with and without a high half.
std::vector<std::uint64_t> values_worth_trying(std::uint32_t number, Architecture architecture) {
  std::vector<std::uint64_t> values = {0, 1, 0xffffffff, ~std::uint64_t{0}, 0x1'00000000};
  for (const SeccompDenial& denial : kSeccompDenials) {
    if (denial.on(architecture) != static_cast<int>(number)) continue;
    for (std::size_t i = 0; i < denial.test_count; ++i) {
      const auto& test = denial.tests[i];
      for (const std::uint64_t value :
           {test.value, test.value + 1, test.mask, test.mask & ~(test.mask - 1)}) {
        values.push_back(value);
        values.push_back(value | 0x7'00000000);
      }
    }
  }
  return values;
}

TEST(SeccompProfile, EachKnownCallIsDecidedOnce) {
  std::set<std::string_view> denied;
  std::set<std::string_view> narrowed;
  for (const SeccompDenial& denial : kSeccompDenials) {
    const bool whole = denial.test_count == 0 && denial.when == protocol::SeccompWhen::always;
    (whole ? denied : narrowed).insert(denial.call);
  }
  for (const os::SyscallNumbers& call : os::kSyscalls) {
    const int decided = static_cast<int>(contains(allowed_calls(), call.name)) +
                        static_cast<int>(contains(absent_calls(), call.name)) +
                        static_cast<int>(denied.contains(call.name));
    EXPECT_EQ(decided, 1) << call.name;
  }
  for (const std::string_view name : narrowed) EXPECT_TRUE(contains(allowed_calls(), name)) << name;
  for (const std::string_view name : allowed_calls()) EXPECT_NE(os::find_syscall(name), nullptr) << name;
  for (const std::string_view name : absent_calls()) EXPECT_NE(os::find_syscall(name), nullptr) << name;
}

TEST(SeccompProfile, EveryNumberHasTheVerdictOfTheListsInEveryProfile) {
  std::mt19937 random(1);
  for (const SeccompOptions& options : all_profiles()) {
    SCOPED_TRACE(name_of(options));
    const auto filter = seccomp_program(options).filter;
    for (std::uint32_t number = 0; number < 1024; ++number) {
      const auto values = values_worth_trying(number, options.architecture);
      std::uniform_int_distribution<std::size_t> pick(0, values.size() - 1);
      for (int round = 0; round < (values.size() > 5 ? 400 : 4); ++round) {
        seccomp_data call = call_of(number, options.architecture);
        for (auto& arg : call.args) arg = values[pick(random)];
        ASSERT_EQ(run_filter(filter, call), expected(options, call))
            << number << " " << os::syscall_name(options.architecture, number) << " " << call.args[0] << " "
            << call.args[1] << " " << call.args[2] << " " << call.args[3];
      }
    }
    for (const std::uint32_t number : {0x3fffffffU, 0x80000000U, 0xfffffffeU, 0xffffffffU}) {
      EXPECT_EQ(run_filter(filter, call_of(number, options.architecture)), errno_verdict(ENOSYS)) << number;
    }
  }
}

TEST(SeccompProfile, ForeignCallsAreDeniedWhateverTheirNumber) {
  for (const SeccompOptions& options : all_profiles()) {
    SCOPED_TRACE(name_of(options));
    const auto filter = seccomp_program(options).filter;
    const std::uint32_t denied = options.observe ? kNotify : errno_verdict(ENOSYS);
    for (std::uint32_t number = 0; number < 1024; ++number) {
      for (const std::uint32_t arch : {std::uint32_t{AUDIT_ARCH_I386}, std::uint32_t{AUDIT_ARCH_ARM}, 0U}) {
        seccomp_data call = call_of(number, options.architecture);
        call.arch = arch;
        ASSERT_EQ(run_filter(filter, call), denied) << number;
      }
      const auto x32 = call_of(number + os::kX32Bit, options.architecture);
      ASSERT_EQ(run_filter(filter, x32),
                options.architecture == Architecture::x86_64 ? denied : errno_verdict(ENOSYS));
    }
  }
}

TEST(SeccompProfile, WhatPrxInitAnswersIsTheErrnoOfTheUnobservedFilter) {
  std::mt19937 random(2);
  std::set<SeccompRule> answered;
  for (SeccompOptions options : all_profiles()) {
    if (!options.observe) continue;
    SCOPED_TRACE(name_of(options));
    const auto observed = seccomp_program(options).filter;
    options.observe = false;
    const auto plain = seccomp_program(options).filter;
    for (std::uint32_t number = 0; number < 512; ++number) {
      const auto values = values_worth_trying(number, options.architecture);
      std::uniform_int_distribution<std::size_t> pick(0, values.size() - 1);
      for (int round = 0; round < (values.size() > 5 ? 400 : 1); ++round) {
        seccomp_data call = call_of(number, options.architecture);
        for (auto& arg : call.args) arg = values[pick(random)];
        const auto verdict = run_filter(observed, call);
        if (verdict != kNotify) {
          ASSERT_EQ(verdict, run_filter(plain, call)) << number;
          continue;
        }
        const auto answer = protocol::answer_denial(call, options.architecture);
        ASSERT_NE(answer.rule, SeccompRule::unknown) << number;
        ASSERT_EQ(errno_verdict(answer.error), run_filter(plain, call)) << number;
        answered.insert(answer.rule);
      }
    }
    seccomp_data foreign = call_of(20, options.architecture);
    foreign.arch = AUDIT_ARCH_I386;
    EXPECT_EQ(protocol::answer_denial(foreign, options.architecture).rule, SeccompRule::foreign_abi);
  }
  EXPECT_GE(answered.size(), 20U) << "most rules were met";
}

TEST(SeccompProfile, AFilterWithoutListenerNeverNotifies) {
  for (SeccompOptions options : all_profiles()) {
    const SeccompProgram program = seccomp_program(options);
    EXPECT_EQ(program.wants_listener, options.observe);
    const bool notifies = std::any_of(
        program.filter.begin(), program.filter.end(),
        [](const sock_filter& step) { return step.code == (BPF_RET | BPF_K) && step.k == kNotify; });
    EXPECT_EQ(notifies, options.observe) << name_of(options);
  }
}

TEST(SeccompProfile, TheProgramIsSmallAndItsSearchShallow) {
  for (const SeccompOptions& options : all_profiles()) {
    const auto filter = seccomp_program(options).filter;
    EXPECT_LT(filter.size(), 400U) << name_of(options);
    for (std::uint32_t number = 0; number < 512; ++number) {
      std::size_t executed = 0;
      ASSERT_TRUE(run_filter(filter, call_of(number, options.architecture), &executed));
      // A call without tests: four instructions, the search, the verdict.
      if (values_worth_trying(number, options.architecture).size() == 5) {
        EXPECT_LE(executed, 14U) << number;
      }
    }
  }
}

TEST(SeccompProfile, EachRuleHasANameAndWordsOfItsOwn) {
  std::set<std::string_view> names;
  std::set<std::string_view> words;
  for (std::size_t i = 0; i < protocol::kSeccompRules; ++i) {
    names.insert(protocol::to_string(static_cast<SeccompRule>(i)));
    words.insert(describe(static_cast<SeccompRule>(i)));
  }
  EXPECT_EQ(names.size(), protocol::kSeccompRules);
  EXPECT_EQ(words.size(), protocol::kSeccompRules);
  EXPECT_EQ(protocol::to_string(static_cast<SeccompRule>(200)), "unknown");
}

}  // namespace
}  // namespace prx::sandbox
