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

/// Whether slots are in a user namespace of their own, under an id that is not root's.
bool counts_own_processes(const SandboxConfig& sandbox) {
  const bool namespaces =
      sandbox.backend == SandboxChoice::namespaces || sandbox.backend == SandboxChoice::automatic;
  if (!namespaces) return false;
  // As root each slot has an id of its own, which nobody else counts under.
  return ::geteuid() == 0 ? !sandbox.allow_root_id : counts_by_user_namespace();
}

}  // namespace

LimitFacts read_limit_facts(const Config& config) {
  LimitFacts facts;
  facts.groups = os::find_cgroup_places(os::read_cgroup_texts(), os::current_cgroup_owner());
  for (std::size_t resource = 0; resource < facts.inherited.size(); ++resource) {
    ::getrlimit(static_cast<__rlimit_resource>(resource), &facts.inherited.at(resource));
  }
  if (const long cpus = ::sysconf(_SC_NPROCESSORS_ONLN); cpus > 0) {
    facts.cpus = static_cast<std::uint32_t>(cpus);
  }
  facts.counts_own_processes = counts_own_processes(config.security.sandbox);
  return facts;
}

}  // namespace prx::sandbox
