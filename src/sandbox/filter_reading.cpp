#include "sandbox/filter_reading.hpp"

#include <linux/seccomp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>

#include "protocol/seccomp_denials.hpp"
#include "sandbox/bpf_interpreter.hpp"

namespace prx::sandbox {
namespace {

using protocol::SeccompDenial;
using protocol::SeccompRule;

std::vector<sock_filter> steps_of(std::string_view filter) {
  std::vector<sock_filter> steps(filter.size() / sizeof(sock_filter));
  std::memcpy(steps.data(), filter.data(), steps.size() * sizeof(sock_filter));
  return steps;
}

/// Arguments that the denial is about.
seccomp_data call_of(const SeccompDenial& denial) {
  seccomp_data call{};
  call.nr = denial.on(os::kArchitecture);
  call.arch = static_cast<std::uint32_t>(os::kArchitecture);
  for (std::size_t i = 0; i < denial.test_count; ++i) {
    const auto& test = denial.tests.at(i);
    const std::uint64_t half = test.equal ? test.value : ~test.value & test.mask;
    call.args[test.word / 2] |= half << (test.word % 2 == 0 ? 0U : 32U);
  }
  return call;
}

bool refuses(const std::vector<sock_filter>& filter, const seccomp_data& call) {
  const auto action = run_filter(filter, call);
  if (!action) return false;
  const auto kind = *action & SECCOMP_RET_ACTION_FULL;
  return kind != SECCOMP_RET_ALLOW && kind != SECCOMP_RET_LOG;
}

}  // namespace

std::vector<RefusedCalls> refused_calls(std::string_view filter) {
  const auto steps = steps_of(filter);
  std::vector<RefusedCalls> refused;
  if (steps.empty()) return refused;
  for (const auto& denial : protocol::kSeccompDenials) {
    if (denial.on(os::kArchitecture) < 0 || !refuses(steps, call_of(denial))) continue;
    auto known = std::find_if(refused.begin(), refused.end(),
                              [&](const RefusedCalls& entry) { return entry.rule == denial.rule; });
    if (known == refused.end()) known = refused.insert(refused.end(), {denial.rule, {}});
    const std::string name(denial.call);
    if (std::find(known->calls.begin(), known->calls.end(), name) == known->calls.end())
      known->calls.push_back(name);
  }
  std::stable_sort(refused.begin(), refused.end(),
                   [](const RefusedCalls& a, const RefusedCalls& b) { return a.rule < b.rule; });
  return refused;
}

bool refuses_network(std::string_view filter) {
  const auto steps = steps_of(filter);
  seccomp_data call{};
  call.arch = static_cast<std::uint32_t>(os::kArchitecture);
  call.nr = os::find_syscall("socket")->on(os::kArchitecture);
  call.args[0] = AF_INET;
  call.args[1] = SOCK_STREAM;
  return !steps.empty() && refuses(steps, call);
}

}  // namespace prx::sandbox
