#include <unistd.h>

#include <utility>

#include "bench/contenders.hpp"
#include "bench/groups.hpp"
#include "bench/host.hpp"

namespace prx::bench {
namespace {

constexpr double kStartTarget = 1.25;
constexpr double kUnchanged = 1.10;
constexpr double kCliOverheadNs = 1.5e6;
constexpr std::size_t kBackToBack = 20;

const Argv kNoop{PRX_BENCH_NOOP};
const Argv kShellTrue{"/bin/sh", "-c", "true"};

Schedule schedule_of(const Options& options, std::size_t rounds) {
  Schedule schedule;
  schedule.rounds = static_cast<std::size_t>(static_cast<double>(rounds) * options.effort) + 1;
  return schedule;
}

/// Bare and the library, for hosts of several kinds.
std::vector<Contender> bare_and_library(const Argv& argv, const ExecutionRequest& request) {
  return {
      bare("bare posix_spawn", argv),
      library_execute("prx execute, pool=0", make_library_runtime(0), request),
      library_execute("prx execute, pool=8", make_library_runtime(8), request),
      library_start("prx start + wait, pool=0", make_library_runtime(0), request),
  };
}

std::vector<Contender> repeat(std::vector<Contender> contenders) {
  for (auto& contender : contenders) contender = back_to_back(std::move(contender), kBackToBack);
  return contenders;
}

std::vector<Target> start_targets() {
  return {{"prx execute, pool=0", Target::Of::ratio, kStartTarget},
          {"prx execute, pool=8", Target::Of::ratio, kStartTarget}};
}

void measure_host(const Options& options, Report& report, const char* group, const char* host) {
  report.add({group,
              std::string("static no-op, one at a time, ") + host,
              measure_interleaved(bare_and_library(kNoop, request_for(kNoop)), schedule_of(options, 400)),
              start_targets(),
              {}});
}

}  // namespace

void measure_start(const Options& options, Report& report) {
  auto contenders = bare_and_library(kNoop, request_for(kNoop));
  contenders.push_back(
      bare("posix_spawn of sh -c", {"/bin/sh", "-c", std::string("exec ") + PRX_BENCH_NOOP}));
  contenders.push_back(python_subprocess("Python subprocess.run", kNoop));
  report.add({"start",
              "static no-op, one at a time",
              measure_interleaved(contenders, schedule_of(options, 600)),
              start_targets(),
              {}});
  auto schedule = schedule_of(options, 60);
  report.add({"start",
              "static no-op, 20 back to back, mean of one",
              measure_interleaved(repeat(bare_and_library(kNoop, request_for(kNoop))), schedule),
              start_targets(),
              {}});
}

void measure_shell(const Options& options, Report& report) {
  ExecutionRequest line;
  line.command = ShellLine{"true"};
  auto contenders = bare_and_library(kShellTrue, line);
  contenders.push_back(python_subprocess("Python subprocess.run", kShellTrue));
  report.add({"shell",
              "/bin/sh -c true, one at a time",
              measure_interleaved(contenders, schedule_of(options, 300)),
              start_targets(),
              {}});
}

/// The same runtime before and while the host is large, alternating, so that the two can be compared.
void measure_resident(const Options& options, Report& report) {
  constexpr std::size_t kSize = std::size_t{4} << 30U;
  constexpr int kAlternations = 3;
  const auto contenders = bare_and_library(kNoop, request_for(kNoop));
  const auto schedule = schedule_of(options, 100);
  std::vector<Series> small;
  std::vector<Series> large;
  const auto append = [](std::vector<Series>& all, std::vector<Series> more) {
    if (all.empty()) return void(all = std::move(more));
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].ns.insert(all[i].ns.end(), more[i].ns.begin(), more[i].ns.end());
    }
  };
  for (int i = 0; i < kAlternations; ++i) {
    append(small, measure_interleaved(contenders, schedule));
    const ResidentMemory memory(kSize);
    append(large, measure_interleaved(contenders, schedule));
  }
  for (std::size_t i = 1; i < contenders.size(); ++i) {
    const auto name = small[i].name;
    large[i].name = name + ", 4 GiB resident";
    report.add({"resident",
                "static no-op, " + name + ": with 4 GiB resident against without",
                {small[i], large[i]},
                {{large[i].name, Target::Of::ratio, kUnchanged}},
                {}});
    large[i].name = name;
  }
  report.add({"resident", "static no-op, one at a time, host of 4 GiB resident", large, start_targets(), {}});
}

void measure_threads(const Options& options, Report& report) {
  const IdleThreads threads(64);
  measure_host(options, report, "threads", "host of 64 threads");
}

void measure_cli(const Options& options, Report& report) {
  if (::access(PRX_BENCH_PRX, X_OK) != 0)
    return report.leave_out("the prx program", "it is not in this build");
  const auto compare = [&](const char* work, const Argv& argv, Argv prx_argv) {
    prx_argv.insert(prx_argv.begin(), {PRX_BENCH_PRX, "run"});
    report.add(
        {"cli",
         work,
         measure_interleaved({whole_process("the program itself", argv), whole_process("prx run", prx_argv)},
                             schedule_of(options, 200)),
         {{"prx run", Target::Of::difference_ns, kCliOverheadNs}},
         {}});
  };
  compare("static no-op, whole process", kNoop, {"--", kNoop.front()});
  compare("/bin/sh -c true, whole process", kShellTrue, {"--", "/bin/sh", "-c", "true"});
}

}  // namespace prx::bench
