// [security.resources] and what there is to enforce it with become a plan: one test a situation.
#include "sandbox/limits.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace prx::sandbox {
namespace {

using protocol::ControlFields;
using protocol::Hierarchy;
using protocol::PlannedRlimit;
using protocol::PlannedWatch;

constexpr std::uint64_t kMiB = 1ULL << 20U;

LimitFacts nothing() {
  LimitFacts facts;
  for (auto& limit : facts.inherited) limit = {RLIM_INFINITY, RLIM_INFINITY};
  facts.cpus = 2;
  return facts;
}

LimitPlan must_plan(const Config& config, const LimitFacts& facts) {
  auto plan = plan_limits(config, facts);
  if (plan) return std::move(plan).value();
  ADD_FAILURE() << plan.error().message();
  return {};
}

std::string enforced_text(const LimitPlan& plan) {
  std::string text;
  for (const auto& limit : plan.enforced) text += limit.limit + "=" + limit.by + " ";
  return text;
}

const std::vector<PlannedRlimit> kDefaultRlimits{
    {RLIMIT_CPU, 60, 61}, {RLIMIT_NOFILE, 1024, 1024}, {RLIMIT_CORE, 0, 0}};

TEST(LimitPlan, DelegatedV2) {
  auto facts = nothing();
  facts.groups = {.unified = "/u", .unified_memory = true, .unified_pids = true};
  const auto plan = must_plan({}, facts);
  const std::vector<ControlFields> controls{
      {Hierarchy::unified, true, "memory.max", "2147483648"},
      {Hierarchy::unified, false, "memory.swap.max", "0"},
      {Hierarchy::unified, true, "pids.max", "257"},
  };
  EXPECT_EQ(plan.controls, controls);
  EXPECT_EQ(plan.rlimits, kDefaultRlimits);
  EXPECT_EQ(plan.watch, (PlannedWatch{0, 60'000'000, 2, false}));
  EXPECT_EQ(plan.groups, (std::array<std::string, 3>{"/u", "", ""}));
  EXPECT_EQ(enforced_text(plan),
            "memory=cgroup-v2 cpu_time=watched subprocesses=cgroup-v2 open_files=rlimit ");
}

TEST(LimitPlan, V1BesideAV2WithoutControllers) {
  auto facts = nothing();
  facts.groups = {.unified = "/u", .memory = "/m", .pids = "/p"};
  const auto plan = must_plan({}, facts);
  const std::vector<ControlFields> controls{
      {Hierarchy::memory, true, "memory.limit_in_bytes", "2147483648"},
      {Hierarchy::memory, false, "memory.memsw.limit_in_bytes", "2147483648"},
      {Hierarchy::pids, true, "pids.max", "257"},
  };
  EXPECT_EQ(plan.controls, controls);
  EXPECT_EQ(plan.rlimits, kDefaultRlimits);
  EXPECT_EQ(plan.groups, (std::array<std::string, 3>{"/u", "/m", "/p"}));
  EXPECT_EQ(enforced_text(plan),
            "memory=cgroup-v1 cpu_time=watched subprocesses=cgroup-v1 open_files=rlimit ");
}

TEST(LimitPlan, AMixOfBothTakesEachWhereItIs) {
  auto facts = nothing();
  facts.groups = {.unified = "/u", .unified_memory = true, .pids = "/p"};
  const auto plan = must_plan({}, facts);
  EXPECT_EQ(plan.groups, (std::array<std::string, 3>{"/u", "", "/p"}));
  EXPECT_EQ(enforced_text(plan),
            "memory=cgroup-v2 cpu_time=watched subprocesses=cgroup-v1 open_files=rlimit ");
}

TEST(LimitPlan, WithoutAnyGroupMemoryIsWatched) {
  auto facts = nothing();
  facts.counts_own_processes = true;
  const auto plan = must_plan({}, facts);
  const std::vector<PlannedRlimit> rlimits{{RLIMIT_DATA, 2048 * kMiB, 2048 * kMiB},
                                           {RLIMIT_CPU, 60, 61},
                                           {RLIMIT_NPROC, 257, 257},
                                           {RLIMIT_NOFILE, 1024, 1024},
                                           {RLIMIT_CORE, 0, 0}};
  EXPECT_EQ(plan.rlimits, rlimits);
  EXPECT_TRUE(plan.controls.empty());
  EXPECT_EQ(plan.watch, (PlannedWatch{2048 * kMiB, 60'000'000, 2, false}));
  EXPECT_EQ(enforced_text(plan), "memory=watched cpu_time=watched subprocesses=rlimit open_files=rlimit ");
}

TEST(LimitPlan, ADefaultThatNothingEnforcesIsAWarning) {
  const auto plan = must_plan({}, nothing());
  EXPECT_EQ(enforced_text(plan), "memory=watched cpu_time=watched subprocesses=none open_files=rlimit ");
  ASSERT_EQ(plan.warnings.size(), 1U);
  EXPECT_NE(plan.warnings[0].find("max_subprocesses"), std::string::npos);
}

TEST(LimitPlan, AWishThatNothingEnforcesIsRefusedByItsName) {
  for (const char* value : {"256", "5"}) {  // also the default, once it is written
    const auto config = load_config(
        {.file = "/dev/null", .settings = {std::string("security.resources.max_subprocesses=") + value}});
    ASSERT_TRUE(config.has_value());
    const auto plan = plan_limits(*config, nothing());
    ASSERT_FALSE(plan.has_value());
    EXPECT_EQ(plan.error().kind, ErrorKind::unsupported);
    EXPECT_EQ(plan.error().subject, "security.resources.max_subprocesses");
    EXPECT_NE(plan.error().hint.find("--set security.resources.max_subprocesses"), std::string::npos)
        << plan.error().hint;
  }
  Config program;  // a program sets fields, which have no origin
  program.security.resources.max_subprocesses = 5;
  EXPECT_FALSE(plan_limits(program, nothing()).has_value());
}

TEST(LimitPlan, ZeroIsNone) {
  Config config;
  config.security.resources = {Bytes{0}, std::chrono::seconds(0), 0, 0, Bytes{0}};
  auto facts = nothing();
  facts.groups = {.unified = "/u", .memory = "/m", .pids = "/p"};
  const auto plan = must_plan(config, facts);
  EXPECT_EQ(plan.rlimits, (std::vector<PlannedRlimit>{{RLIMIT_CORE, 0, 0}}));
  EXPECT_TRUE(plan.controls.empty());
  EXPECT_TRUE(plan.enforced.empty());
  EXPECT_EQ(plan.groups, (std::array<std::string, 3>{"/u", "", ""}));
}

TEST(LimitPlan, WhatIsInheritedAndStricterStays) {
  Config config;
  config.security.resources.max_file_size = Bytes{8 * kMiB};
  auto facts = nothing();
  facts.inherited[RLIMIT_NOFILE] = {256, 4096};
  facts.inherited[RLIMIT_FSIZE] = {kMiB, kMiB};
  facts.inherited[RLIMIT_CPU] = {RLIM_INFINITY, 30};
  const auto plan = must_plan(config, facts);
  const std::vector<PlannedRlimit> rlimits{{RLIMIT_DATA, 2048 * kMiB, 2048 * kMiB},
                                           {RLIMIT_CPU, 60, 30},
                                           {RLIMIT_NOFILE, 256, 1024},
                                           {RLIMIT_FSIZE, kMiB, kMiB},
                                           {RLIMIT_CORE, 0, 0}};
  EXPECT_EQ(plan.rlimits, rlimits);
}

TEST(LimitPlan, CpuTimeOfTerminalsIsLimitedWhereItWasSet) {
  Config config;
  EXPECT_FALSE(must_plan(config, nothing()).watch.terminals);
  config.security.resources.max_cpu_time = std::chrono::seconds(5);
  EXPECT_TRUE(must_plan(config, nothing()).watch.terminals);
}

TEST(LimitPlan, AddressSpaceIsNeverLimited) {
  for (const auto& limit : must_plan({}, nothing()).rlimits) EXPECT_NE(limit.resource, RLIMIT_AS);
}

TEST(LimitPlan, ReachesTheSlotAsItIs) {
  auto facts = nothing();
  facts.groups = {.unified = "/u", .unified_memory = true, .pids = "/p"};
  const auto limits = must_plan({}, facts);
  protocol::PlanFields fields;
  const auto text = plan_slot(fields, limits).plan;
  protocol::SlotPlan plan;
  ASSERT_TRUE(protocol::decode_plan(std::as_bytes(std::span(text)), plan));
  std::vector<PlannedRlimit> rlimits;
  plan.rlimits.for_each([&](const PlannedRlimit& limit) { rlimits.push_back(limit); });
  EXPECT_EQ(rlimits, limits.rlimits);
  std::vector<ControlFields> controls;
  plan.controls.for_each([&](const protocol::ControlValue& control) {
    controls.push_back(
        {control.hierarchy, control.required, std::string(control.file), std::string(control.value)});
  });
  EXPECT_EQ(controls, limits.controls);
  EXPECT_EQ(plan.watch, limits.watch);
  fields.controls = {{static_cast<Hierarchy>(3), true, "x", "1"}};
  const auto wrong = protocol::encode_plan(fields);
  EXPECT_FALSE(protocol::decode_plan(std::as_bytes(std::span(wrong)), plan));
}

}  // namespace
}  // namespace prx::sandbox
