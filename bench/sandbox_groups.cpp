// The sandbox of native commands beside those of others: each table has one base, and each way alternates
// with it alone.
#include <fmt/format.h>
#include <unistd.h>

#include <limits>
#include <memory>
#include <utility>

#include "bench/bare.hpp"
#include "bench/contenders.hpp"
#include "bench/groups.hpp"
#include "bench/host.hpp"
#include "bench/limited.hpp"
#include "bench/peers.hpp"

namespace prx::bench {
namespace {

const Argv kNoop{PRX_BENCH_NOOP};
const std::string kWorkspace{PRX_BENCH_WORKSPACE};

constexpr double kNoTarget = std::numeric_limits<double>::infinity();

struct Way {
  std::string name;
  SandboxChoice kind;
  HostKind host;
  double most_of_limited;
  double most_of_bwrap;
};

const Way kCold{"prx namespaces, cold", SandboxChoice::namespaces, HostKind::one_shot, 2.8, 0.45};
const Way kLimited{"prx, limits only", SandboxChoice::none, HostKind::library, 1.25, kNoTarget};
const Way kWarm{"prx namespaces, warm", SandboxChoice::namespaces, HostKind::library, 1.5, kNoTarget};

Contender contender(const Way& way) {
  return library_execute(way.name, make_sandboxed_runtime(way.kind, way.host, kWorkspace),
                         request_for(kNoop));
}

void leave_out(Report& report, const Peer& peer) {
  report.leave_out(peer.name, "not installed, or does not work here (tools/install-peers.sh)");
}

Table pair(const char* group, std::string work, Contender base, Contender subject, const Schedule& schedule,
           double at_most = kNoTarget) {
  Table table{group, std::move(work), {}, {}, {}};
  if (at_most != kNoTarget) table.targets.push_back({subject.name, Target::Of::ratio, at_most});
  table.series = measure_interleaved({std::move(base), std::move(subject)}, schedule);
  return table;
}

/// A script in the sandbox and outside; long enough for what its start costs not to count.
void measure_script(Report& report, const Schedule& schedule, const std::string& what,
                    const std::string& script) {
  constexpr double kUnchanged = 1.05;
  const Argv argv{"/bin/sh", "-c", "cd " + kWorkspace + " && " + script};
  if (!succeeds(argv)) return report.leave_out(what, "the script does not work here");
  report.add(
      pair("sandbox-work", what, bare("outside", argv),
           library_execute("in the sandbox",
                           make_sandboxed_runtime(SandboxChoice::namespaces, HostKind::library, kWorkspace),
                           request_for(argv)),
           schedule, kUnchanged));
}

std::string repeated(int times, const std::string& command) {
  return fmt::format("i=0; while [ $i -lt {} ]; do {} || exit 1; i=$((i+1)); done", times, command);
}

}  // namespace

void measure_sandbox(const Options& options, Report& report) {
  const auto schedule = schedule_of(options, 200);
  const auto limited = bare_with_limits("posix_spawn, group limits", kNoop);
  if (!limited) report.leave_out("posix_spawn, group limits", "no control group may be made here");
  for (const auto& way : {kLimited, kCold, kWarm}) {
    report.add(pair("sandbox", "static no-op, over the bare start", bare("bare posix_spawn", kNoop),
                    contender(way), schedule));
    if (!limited) continue;
    report.add(pair("sandbox", "static no-op, over the bare start with limits", *limited, contender(way),
                    schedule, way.most_of_limited));
  }
  for (const auto& peer : quick_peers()) {
    const auto argv = command_of(peer, kNoop);
    if (!argv) {
      leave_out(report, peer);
      continue;
    }
    report.add(pair("sandbox", "static no-op, over the bare start", bare("bare posix_spawn", kNoop),
                    bare(peer.name, *argv), schedule));
    for (const auto& way : {kCold, kWarm}) {
      const auto at_most = peer.name == "bwrap" ? way.most_of_bwrap : kNoTarget;
      report.add(pair("sandbox", "static no-op, over " + peer.name, bare(peer.name, *argv), contender(way),
                      schedule, at_most));
    }
  }
  const auto sandlock = sandlock_library(kNoop.front());
  if (!sandlock) return report.leave_out("sandlock", "its library is not there (tools/install-peers.sh)");
  report.add(pair("sandbox", "static no-op, over the bare start", bare("bare posix_spawn", kNoop), *sandlock,
                  schedule));
  report.add(pair("sandbox", "static no-op, over sandlock", *sandlock, contender(kCold), schedule, 1.0));
}

void measure_sandbox_host(const Options& options, Report& report) {
  constexpr double kUnchanged = 1.10;
  const auto schedule = schedule_of(options, 100);
  const auto compare = [&](const std::string& what, const auto& enlarge) {
    for (const auto& way : {kCold, kWarm}) {
      const auto runtime = make_sandboxed_runtime(way.kind, way.host, kWorkspace);
      const auto subject = library_execute(way.name, runtime, request_for(kNoop));
      auto small = measure_interleaved({subject}, schedule);
      auto large = [&, larger = enlarge()] { return measure_interleaved({subject}, schedule); }();
      large[0].name += ", " + what;
      const auto name = large[0].name;
      report.add({"sandbox-host",
                  "static no-op, the same host without and with " + what,
                  {std::move(small[0]), std::move(large[0])},
                  {{name, Target::Of::ratio, kUnchanged}},
                  {}});
    }
  };
  for (const std::size_t mib : {256U, 1024U}) {
    compare(fmt::format("{} MiB touched", mib),
            [mib] { return std::make_unique<ResidentMemory>(mib << 20U); });
  }
  for (const std::size_t threads : {64U, 1000U}) {
    compare(fmt::format("{} threads", threads), [threads] { return std::make_unique<IdleThreads>(threads); });
  }
}

void measure_sandbox_cli(const Options& options, Report& report) {
  constexpr double kMostOfBwrap = 0.8;
  if (::access(PRX_BENCH_PRX, X_OK) != 0)
    return report.leave_out("the prx program", "it is not in this build");
  const Argv prx{PRX_BENCH_PRX, "run",        "--workspace",
                 kWorkspace,    "--set",      "security.sandbox.backend=namespaces",
                 "--",          kNoop.front()};
  const auto measure = [&](const Peer& peer, double rounds) {
    const auto argv = command_of(peer, kNoop);
    if (!argv) return leave_out(report, peer);
    const auto at_most = peer.name == "bwrap" ? kMostOfBwrap : kNoTarget;
    report.add(pair("sandbox-cli", "static no-op, whole process", whole_process(peer.name, *argv),
                    whole_process("prx run", prx), schedule_of(options, rounds), at_most));
  };
  constexpr double kRounds = 100;
  constexpr double kRoundsOfSlow = 10;
  for (const auto& peer : quick_peers()) measure(peer, kRounds);
  for (const auto& peer : slow_peers()) measure(peer, kRoundsOfSlow);
}

void measure_sandbox_many(const Options& options, Report& report) {
  constexpr std::size_t kAtOnce = 64;
  constexpr double kMostTimeOfBwrap = 1 / 1.7;
  constexpr double kMostOfMedian = 5;
  for (const auto& way : {kCold, kWarm}) {
    Table table{"sandbox-many",
                "static no-op, 200 in a row",
                measure_interleaved({contender(way)}, schedule_of(options, 200)),
                {},
                {}};
    const auto summary = summarize(table.series[0]);
    table.facts.push_back({"p99 in medians", summary.p99 / summary.median, "", kMostOfMedian});
    report.add(std::move(table));
  }
  const auto bwrap = quick_peers().front();
  const auto argv = command_of(bwrap, kNoop);
  if (!argv) return leave_out(report, bwrap);
  report.add(pair("sandbox-many", fmt::format("static no-op, {} at once", kAtOnce),
                  bare_at_once(bwrap.name, *argv, kAtOnce),
                  library_at_once(kWarm.name, make_sandboxed_runtime(kWarm.kind, kWarm.host, kWorkspace),
                                  request_for(kNoop), kAtOnce),
                  schedule_of(options, 20), kMostTimeOfBwrap));
}

void measure_sandbox_work(const Options& options, Report& report) {
  run_bare(
      {"/bin/sh", "-c",
       "cd " + kWorkspace +
           " && printf '#include <stdio.h>\\nint main(void) { return puts(\"hello\") < 0; }\\n' > hello.c"
           " && git init -q . && git add hello.c"});
  const auto schedule = schedule_of(options, 15);
  measure_script(report, schedule, "a C file compiled, 5 times", repeated(5, "cc -O1 -c -o hello.o hello.c"));
  measure_script(report, schedule, "git status, 30 times", repeated(30, "git status --short > status.txt"));
  measure_script(report, schedule, "pip --version, 2 times", repeated(2, "pip --version > pip.txt"));
  measure_script(report, schedule, "node -e 1, 5 times", repeated(5, "node -e 1"));
  measure_script(report, schedule, "1,000 pipelines of dash", repeated(1000, "echo x | cat > pipe.txt"));
}

}  // namespace prx::bench
