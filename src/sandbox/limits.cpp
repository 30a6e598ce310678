#include "sandbox/limits.hpp"

#include <algorithm>
#include <utility>

#include "base/try.hpp"

namespace prx::sandbox {
namespace {

using protocol::ControlFields;
using protocol::Hierarchy;
using protocol::PlannedRlimit;

constexpr const char* kV2 = "cgroup-v2";
constexpr const char* kV1 = "cgroup-v1";
constexpr const char* kRlimit = "rlimit";
constexpr const char* kWatched = "watched";
constexpr const char* kNone = "none";

/// A limit is never a grant: what is inherited and stricter stays. Soft and hard are the same, so that a
/// command cannot give itself more.
PlannedRlimit stricter(int resource, std::uint64_t soft, std::uint64_t hard, const LimitFacts& facts) {
  const auto& inherited = facts.inherited.at(static_cast<std::size_t>(resource));
  return {static_cast<std::uint8_t>(resource), std::min<std::uint64_t>(soft, inherited.rlim_cur),
          std::min<std::uint64_t>(hard, inherited.rlim_max)};
}

/// A program sets fields, which have no origin.
bool is_wish(std::string_view key, bool is_changed, const Config& config) {
  return is_changed || config.is_set(key);
}

void add_rlimit(int resource, std::uint64_t value, const LimitFacts& facts, LimitPlan& plan) {
  plan.rlimits.push_back(stricter(resource, value, value, facts));
}

void add_control(Hierarchy hierarchy, const char* file, std::uint64_t value, bool required, LimitPlan& plan) {
  plan.controls.push_back({hierarchy, required, file, std::to_string(value)});
}

void use_group(Hierarchy hierarchy, const std::string& directory, LimitPlan& plan) {
  plan.groups.at(static_cast<std::size_t>(hierarchy)) = directory;
}

/// Swap is memory that was only moved; without swap its files are missing.
void add_memory(Bytes limit, const LimitFacts& facts, LimitPlan& plan) {
  const auto value = limit.value;
  if (value == 0) return;
  if (facts.groups.unified_memory) {
    add_control(Hierarchy::unified, "memory.max", value, true, plan);
    add_control(Hierarchy::unified, "memory.swap.max", 0, false, plan);
    plan.enforced.push_back({"memory", kV2});
  } else if (!facts.groups.memory.empty()) {
    use_group(Hierarchy::memory, facts.groups.memory, plan);
    add_control(Hierarchy::memory, "memory.limit_in_bytes", value, true, plan);
    add_control(Hierarchy::memory, "memory.memsw.limit_in_bytes", value, false, plan);
    plan.enforced.push_back({"memory", kV1});
  } else {
    // Never RLIMIT_AS: node and go reserve far more than they use, and die of it.
    add_rlimit(RLIMIT_DATA, value, facts, plan);
    plan.watch.memory_bytes = value;
    plan.enforced.push_back({"memory", kWatched});
  }
}

void add_cpu_time(const Config& config, const LimitFacts& facts, LimitPlan& plan) {
  const auto limit = config.security.resources.max_cpu_time;
  if (limit.count() == 0) return;
  const auto seconds = static_cast<std::uint64_t>(limit.count());
  // SIGXCPU first: it says why, which SIGKILL, for who ignores it, does not.
  plan.rlimits.push_back(stricter(RLIMIT_CPU, seconds, seconds + 1, facts));
  plan.watch.cpu_us = seconds * 1'000'000;
  // Like the deadline, the default is for commands that somebody waits for, not for one that somebody sits
  // at.
  plan.watch.terminals =
      is_wish("security.resources.max_cpu_time_seconds", limit != ResourceConfig{}.max_cpu_time, config);
  plan.enforced.push_back({"cpu_time", kWatched});
}

Error cannot_count(const Config& config, std::string_view key) {
  return {
      ErrorKind::unsupported,
      "limits",
      std::string(key),
      0,
      "nothing here counts the processes of one command: there is no control group with the pids controller "
      "that this process may use, and no user namespace with an id other than root's",
      "use the sandbox \"namespaces\", run prx where a cgroup is delegated to it, or set the key to 0 (it is "
      "set by " +
          config.origin_of(key).describe() + ")"};
}

/// prx-init is in the slot, too, and not one of the command's.
Result<void> add_subprocesses(const Config& config, const LimitFacts& facts, LimitPlan& plan) {
  constexpr std::string_view kKey = "security.resources.max_subprocesses";
  const auto limit = config.security.resources.max_subprocesses;
  if (limit == 0) return {};
  const std::uint64_t tasks = std::uint64_t{limit} + 1;
  if (facts.groups.unified_pids) {
    add_control(Hierarchy::unified, "pids.max", tasks, true, plan);
    plan.enforced.push_back({"subprocesses", kV2});
  } else if (!facts.groups.pids.empty()) {
    use_group(Hierarchy::pids, facts.groups.pids, plan);
    add_control(Hierarchy::pids, "pids.max", tasks, true, plan);
    plan.enforced.push_back({"subprocesses", kV1});
  } else if (facts.counts_own_processes) {
    add_rlimit(RLIMIT_NPROC, tasks, facts, plan);
    plan.enforced.push_back({"subprocesses", kRlimit});
  } else if (is_wish(kKey, limit != ResourceConfig{}.max_subprocesses, config)) {
    return cannot_count(config, kKey);
  } else {
    plan.enforced.push_back({"subprocesses", kNone});
    plan.warnings.emplace_back(
        "the default of security.resources.max_subprocesses is not enforced: nothing here counts the "
        "processes "
        "of one command");
  }
  return {};
}

}  // namespace

Result<LimitPlan> plan_limits(const Config& config, const LimitFacts& facts) {
  const auto& resources = config.security.resources;
  LimitPlan plan;
  // Ends, counts the cpu time of, and may limit, whatever a command starts.
  use_group(Hierarchy::unified, facts.groups.unified, plan);
  add_memory(resources.max_memory, facts, plan);
  add_cpu_time(config, facts, plan);
  PRX_CHECK(add_subprocesses(config, facts, plan));
  if (resources.max_open_files != 0) {
    add_rlimit(RLIMIT_NOFILE, resources.max_open_files, facts, plan);
    plan.enforced.push_back({"open_files", kRlimit});
  }
  if (resources.max_file_size.value != 0) {
    add_rlimit(RLIMIT_FSIZE, resources.max_file_size.value, facts, plan);
    plan.enforced.push_back({"file_size", kRlimit});
  }
  // A core may be as large as the memory, and holds what was in it.
  add_rlimit(RLIMIT_CORE, 0, facts, plan);
  plan.watch.cpus = facts.cpus;
  return plan;
}

core::PlannedSlot plan_slot(protocol::PlanFields plan, const LimitPlan& limits) {
  plan.rlimits = limits.rlimits;
  plan.controls = limits.controls;
  plan.watch = limits.watch;
  return {protocol::encode_plan(plan), limits.groups, limits.enforced, limits.watch.terminals};
}

}  // namespace prx::sandbox
