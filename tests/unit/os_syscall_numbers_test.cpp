#include "os/syscall_numbers.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "support/not_proven.hpp"
#include "support/program.hpp"

namespace prx::os {
namespace {

using Numbers = std::map<std::string, int>;

/// What the macros __NR_* of a header stand for, from the preprocessor.
Numbers numbers_in(const std::string& header, const std::vector<std::string>& defines = {}) {
  std::vector<std::string> command = {"cc", "-E", "-dM", "-x", "c", "-include", header};
  for (const std::string& name : defines) command.push_back("-D__ARCH_WANT_" + name);
  command.emplace_back("/dev/null");
  std::map<std::string, std::string> macros;
  std::istringstream lines(test::run_program(command).out);
  for (std::string word, name, value; lines >> word >> name && std::getline(lines, value);) {
    if (name.starts_with("__NR")) macros[name] = value.substr(std::min<std::size_t>(1, value.size()));
  }
  Numbers numbers;
  for (const auto& [name, value] : macros) {
    std::string number = value;
    while (macros.contains(number)) number = macros[number];
    const bool is_number = !number.empty() && number.find_first_not_of("0123456789") == std::string::npos;
    if (name.starts_with("__NR_") && is_number) numbers[name.substr(5)] = std::stoi(number);
  }
  // Not calls: the end of the list, and the start of what an architecture may add.
  numbers.erase("syscalls");
  numbers.erase("arch_specific_syscall");
  return numbers;
}

void expect_same(Architecture architecture, const Numbers& numbers) {
  ASSERT_GT(numbers.size(), 250U) << "the header was read";
  int newest = 0;
  for (const auto& [name, number] : numbers) {
    const SyscallNumbers* call = find_syscall(name);
    ASSERT_NE(call, nullptr) << name;
    EXPECT_EQ(call->on(architecture), number) << name;
    EXPECT_EQ(syscall_name(architecture, static_cast<std::uint32_t>(number)), name);
    newest = std::max(newest, number);
  }
  // uretprobe and uprobe have numbers that were left free.
  for (const SyscallNumbers& call : kSyscalls) {
    const bool is_newer = call.on(architecture) > newest || call.name == "uretprobe" || call.name == "uprobe";
    EXPECT_TRUE(call.on(architecture) < 0 || is_newer || numbers.contains(std::string(call.name)))
        << call.name;
  }
}

TEST(SyscallNumbers, AreThoseOfTheHeadersOfX86_64) {
#if defined(__x86_64__)
  expect_same(Architecture::x86_64, numbers_in("asm/unistd_64.h"));
#else
  test::not_proven("unit.syscall_numbers_x86_64", "the headers of this machine are for another architecture");
#endif
}

TEST(SyscallNumbers, AreThoseOfTheHeadersOfAarch64) {
  expect_same(Architecture::aarch64,
              numbers_in("asm-generic/unistd.h", {"RENAMEAT", "NEW_STAT", "SET_GET_RLIMIT", "TIME32_SYSCALLS",
                                                  "SYS_CLONE3", "MEMFD_SECRET"}));
}

TEST(SyscallNumbers, NamesAreSortedAndNumbersUnique) {
  EXPECT_TRUE(std::is_sorted(std::begin(kSyscalls), std::end(kSyscalls),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));
  for (const Architecture architecture : {Architecture::x86_64, Architecture::aarch64}) {
    std::map<int, std::string_view> names;
    for (const SyscallNumbers& call : kSyscalls) {
      const int number = call.on(architecture);
      EXPECT_TRUE(number < 0 || names.emplace(number, call.name).second) << call.name;
      EXPECT_EQ(find_syscall(call.name), &call);
    }
  }
}

TEST(SyscallNumbers, WhatIsNotKnownHasNoNameAndNoNumber) {
  EXPECT_EQ(find_syscall(""), nullptr);
  EXPECT_EQ(find_syscall("aaa"), nullptr);
  EXPECT_EQ(find_syscall("rea"), nullptr);
  EXPECT_EQ(find_syscall("zzz"), nullptr);
  EXPECT_EQ(syscall_name(Architecture::x86_64, 1000), "");
  EXPECT_EQ(syscall_name(Architecture::aarch64, 0xffffffff), "");
}

}  // namespace
}  // namespace prx::os
