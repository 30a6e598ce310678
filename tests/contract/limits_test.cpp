// [security.resources]: each limit from both sides, just under it and just over it. What enforces one differs
// from machine to machine; how a command ends does not, but where it is refused more instead.
#include <csignal>
#include <string>
#include <thread>

#include "contract/contract.hpp"
#include "support/artefacts.hpp"
#include "support/program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

using namespace prx::literals;

std::string enforcer_of(const ExecutionOutput& output, std::string_view limit) {
  for (const auto& enforced : output.enforced) {
    if (enforced.limit == limit) return enforced.by;
  }
  return {};
}

const std::string* violated_rule(const ExecutionOutput& output) {
  const auto* violated = std::get_if<Violated>(&output.ending);
  return violated == nullptr ? nullptr : &violated->rule;
}

class Limits : public ExecutionContract {
 protected:
  ResourceConfig& limits() { return config_.security.resources; }
  ExecutionOutput take(const std::string& what, long amount) {
    return must_end(run(probe("take", {what, std::to_string(amount)})));
  }
};

TEST_P(Limits, TheOutputSaysWhatEnforcesEach) {
  limits().max_file_size = 64_MiB;
  const auto output = must_end(run(probe("noop")));
  EXPECT_EQ(enforcer_of(output, "cpu_time"), "watched");
  EXPECT_EQ(enforcer_of(output, "open_files"), "rlimit");
  EXPECT_EQ(enforcer_of(output, "file_size"), "rlimit");
  EXPECT_EQ(!enforcer_of(output, "memory").empty(), backend().limits_trees);
  EXPECT_EQ(!enforcer_of(output, "subprocesses").empty(), backend().limits_trees);
}

TEST_P(Limits, ZeroIsNone) {
  limits() = {Bytes{0}, std::chrono::seconds(0), 0, 0, Bytes{0}};
  const auto output = must_end(run(probe("noop")));
  EXPECT_TRUE(output.enforced.empty());
  EXPECT_EQ(output.exit_code, 0);
}

TEST_P(Limits, MemoryJustUnder) {
  limits().max_memory = 64_MiB;
  const auto output = must_end(run(probe("eat_memory", {"56"})));
  EXPECT_EQ(output.exit_code, 0) << output.out.bytes;
  EXPECT_EQ(output.usage.oom_kills, 0U);
  if (!enforcer_of(output, "memory").starts_with("cgroup")) return;
  EXPECT_GE(output.usage.peak_memory, 56_MiB);
  EXPECT_LE(output.usage.peak_memory, 64_MiB);
}

TEST_P(Limits, MemoryJustOver) {
  if (!backend().limits_trees) return;
  limits().max_memory = 64_MiB;
  const auto output = must_end(run(probe("eat_memory", {"66"})));
  if (enforcer_of(output, "memory") == "watched") {
    EXPECT_NE(output.exit_code, 0) << output.out.bytes;
    return;
  }
  ASSERT_TRUE(std::holds_alternative<OutOfMemory>(output.ending)) << to_string(output.ending);
  EXPECT_EQ(std::get<OutOfMemory>(output.ending).limit, 64_MiB);
  EXPECT_EQ(output.exit_code, 137);
  EXPECT_EQ(output.usage.oom_kills, 1U);
}

TEST_P(Limits, MemoryThatIsMappedByNobodyCounts) {
  if (!backend().limits_trees) return;
  limits().max_memory = 64_MiB;
  EXPECT_EQ(take("memfd", 48).exit_code, 0);
  const auto output = take("memfd", 80);
  EXPECT_TRUE(std::holds_alternative<OutOfMemory>(output.ending)) << to_string(output.ending);
}

TEST_P(Limits, TheKernelsVictimNeedNotBeTheCommand) {
  if (!backend().limits_trees) return;
  limits().max_memory = 64_MiB;
  const auto output = must_end(run(shell(probe_path("eat_memory") + " 80 >/dev/null 2>&1; echo $?; exit 3")));
  if (enforcer_of(output, "memory") == "watched") return;
  EXPECT_EQ(output.out.bytes, "137\n");
  EXPECT_EQ(output.exit_code, 3);
  EXPECT_EQ(output.usage.oom_kills, 1U);
}

TEST_P(Limits, CpuTimeJustUnder) {
  limits().max_cpu_time = std::chrono::seconds(1);
  EXPECT_EQ(take("cpu", 800).exit_code, 0);
  EXPECT_EQ(take("tree-cpu", 800).exit_code, 0);
}

TEST_P(Limits, CpuTimeJustOver) {
  limits().max_cpu_time = std::chrono::seconds(1);
  for (const auto* what : {"cpu", "tree-cpu", "stubborn-cpu"}) {
    const auto output = take(what, 10'000);
    ASSERT_NE(violated_rule(output), nullptr) << what << ' ' << to_string(output.ending);
    EXPECT_EQ(*violated_rule(output), "security.resources.max_cpu_time_seconds");
    EXPECT_LT(output.usage.user_cpu, std::chrono::seconds(5)) << what;
  }
}

TEST_P(Limits, CpuTimeOfATerminalOnlyWhereItWasSet) {
  auto request = probe("noop");
  request.terminal = Terminal{};
  EXPECT_EQ(enforcer_of(must_end(run(request)), "cpu_time"), "");
}

TEST_P(Limits, CpuTimeOfATerminal) {
  limits().max_cpu_time = std::chrono::seconds(1);
  auto request = probe("take", {"cpu", "5000"});
  request.terminal = Terminal{};
  const auto output = must_end(run(request));
  EXPECT_NE(violated_rule(output), nullptr) << to_string(output.ending);
  EXPECT_EQ(enforcer_of(output, "cpu_time"), "watched");
}

TEST_P(Limits, OpenFiles) {
  limits().max_open_files = 32;
  EXPECT_EQ(take("files", 29).exit_code, 0);
  EXPECT_EQ(take("files", 30).out.bytes, "refused at 29\n");
}

TEST_P(Limits, FileSize) {
  const TempDir dir;
  limits().max_file_size = 2_MiB;
  const auto write_mib = [&](const std::string& amount) {
    return must_end(run(probe("take", {"file", amount, dir / "file"})));
  };
  EXPECT_EQ(write_mib("2").exit_code, 0);
  const auto over = write_mib("3");
  ASSERT_NE(violated_rule(over), nullptr) << to_string(over.ending);
  EXPECT_EQ(*violated_rule(over), "security.resources.max_file_size_mb");
  EXPECT_EQ(over.exit_code, 159);
}

TEST_P(Limits, Subprocesses) {
  if (!backend().limits_trees) return;
  limits().max_subprocesses = 8;
  if (enforcer_of(must_end(run(probe("noop"))), "subprocesses") == "none") return;
  for (const auto* what : {"children", "threads"}) {  // beside the command itself
    EXPECT_EQ(take(what, 7).exit_code, 0) << what;
    EXPECT_EQ(take(what, 8).out.bytes, "refused at 7\n") << what;
  }
}

TEST_P(Limits, NoCoreIsLeft) {
  const auto output = must_end(run(shell("ulimit -c; ulimit -H -c")));
  EXPECT_EQ(output.out.bytes, "0\n0\n");
}

PRX_CONTRACT(Limits);

class LimitsOfMany : public HandleContract {};

TEST_P(LimitsOfMany, ShareNone) {
  if (!backend().limits_trees) return;
  config_.security.resources.max_memory = 64_MiB;
  config_.security.resources.max_subprocesses = 8;
  auto first = start(probe("take", {"shared", "48"}));
  auto second = start(probe("take", {"shared", "48"}));
  EXPECT_EQ(must_end(first.wait()).exit_code, 0);
  EXPECT_EQ(must_end(second.wait()).exit_code, 0);
}

TEST_P(LimitsOfMany, AForkBombStaysInItsSlot) {
  if (!backend().limits_trees) return;
  config_.security.resources.max_subprocesses = 64;
  auto bomb = start(probe("take", {"forks", "2"}));
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(run_program({"/bin/true"}).exit_code, 0) << "the host cannot fork";
    EXPECT_EQ(must_end(runtime().execute(shell("(true) | cat"))).exit_code, 0);
  }
  const auto output = must_end(bomb.wait());
  EXPECT_EQ(output.leftovers.alive, 0U);
}

PRX_CONCURRENT_CONTRACT(LimitsOfMany);

}  // namespace
}  // namespace prx::test
