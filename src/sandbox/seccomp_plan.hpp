#pragma once

#include "protocol/plan_encoder.hpp"
#include "sandbox/namespaces_plan.hpp"
#include "sandbox/seccomp_profile.hpp"

namespace prx::sandbox {

/// The profile's filter, which tells prx-init what it denies where the kernel can do that.
inline void add_seccomp(SeccompOptions options, const KernelFacts& kernel, protocol::PlanFields& plan) {
  options.observe = kernel.has_listener;
  const auto program = seccomp_program(options);
  plan.observe = program.wants_listener;
  plan.filter.assign(reinterpret_cast<const char*>(program.filter.data()),
                     program.filter.size() * sizeof(sock_filter));
}

}  // namespace prx::sandbox
