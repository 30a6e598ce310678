#include <sys/utsname.h>
#include <unistd.h>

#include <cstdio>

#include "sandbox/limits.hpp"

namespace prx::sandbox {
namespace {

/// Since Linux 5.14 each user namespace has counts of its own.
bool counts_by_user_namespace() {
  utsname system{};
  int major = 0;
  int minor = 0;
  if (::uname(&system) != 0 || std::sscanf(system.release, "%d.%d", &major, &minor) != 2) return false;
  constexpr int kMajor = 5;
  constexpr int kMinor = 14;
  return major > kMajor || (major == kMajor && minor >= kMinor);
}

}  // namespace

LimitFacts read_limit_facts() {
  LimitFacts facts;
  facts.groups = os::find_cgroup_places(os::read_cgroup_texts(), os::current_cgroup_owner());
  for (std::size_t resource = 0; resource < facts.inherited.size(); ++resource) {
    ::getrlimit(static_cast<__rlimit_resource>(resource), &facts.inherited.at(resource));
  }
  if (const long cpus = ::sysconf(_SC_NPROCESSORS_ONLN); cpus > 0)
    facts.cpus = static_cast<std::uint32_t>(cpus);
  return facts;
}

bool counts_own_processes(const protocol::PlanFields& plan) {
  if (plan.confinement != protocol::Confinement::namespaces) return false;
  if (plan.high_id) return true;  // nobody else has the id
  return ::geteuid() != 0 && counts_by_user_namespace();
}

}  // namespace prx::sandbox
