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
const Argv kNoopWithLibc{PRX_BENCH_NOOP_LIBC};
const Argv kShellTrue{"/bin/sh", "-c", "true"};

Contender bare_spawn(const Argv& argv) {
  return bare("bare posix_spawn", argv);
}

/// The library's ways to run a command; the targets are for the first two.
std::vector<Contender> library_ways(const ExecutionRequest& request) {
  return {
      library_execute("prx execute, pool=0", make_library_runtime(0), request),
      library_execute("prx execute, pool=8", make_library_runtime(8), request),
      library_start("prx start + wait, pool=0", make_library_runtime(0), request),
  };
}

std::vector<Target> start_targets() {
  return {{"prx execute, pool=0", Target::Of::ratio, kStartTarget},
          {"prx execute, pool=8", Target::Of::ratio, kStartTarget}};
}

/// Each way of the library alternating with bare alone: with more contenders in one cycle each would find the
/// caches as all the others left them.
void measure_pairs(Report& report, const char* group, const std::string& work, const Argv& argv,
                   const ExecutionRequest& request, const Schedule& schedule) {
  for (auto& way : library_ways(request)) {
    report.add({group,
                work,
                measure_interleaved({bare_spawn(argv), std::move(way)}, schedule),
                start_targets(),
                {}});
  }
}

}  // namespace

void measure_start(const Options& options, Report& report) {
  const auto request = request_for(kNoop);
  measure_pairs(report, "start", "static no-op, one at a time", kNoop, request, schedule_of(options, 400));
  measure_pairs(report, "start", "static no-op with a C library, one at a time", kNoopWithLibc,
                request_for(kNoopWithLibc), schedule_of(options, 200));

  for (auto& way : library_ways(request)) {
    report.add({"start",
                "static no-op, 20 back to back, mean of one",
                measure_interleaved(
                    {back_to_back(bare_spawn(kNoop), kBackToBack), back_to_back(std::move(way), kBackToBack)},
                    schedule_of(options, 50)),
                {},
                {}});
  }
  report.add({"start",
              "static no-op, other ways",
              measure_interleaved({bare_spawn(kNoop),
                                   bare("posix_spawn of sh -c", {"/bin/sh", "-c", "exec " + kNoop.front()}),
                                   python_subprocess("Python subprocess.run", kNoop)},
                                  schedule_of(options, 200)),
              {},
              {}});
}

void measure_shell(const Options& options, Report& report) {
  ExecutionRequest line;
  line.command = ShellLine{"true"};
  measure_pairs(report, "shell", "/bin/sh -c true, one at a time", kShellTrue, line,
                schedule_of(options, 200));
  report.add(
      {"shell",
       "/bin/sh -c true, other ways",
       measure_interleaved({bare_spawn(kShellTrue), python_subprocess("Python subprocess.run", kShellTrue)},
                           schedule_of(options, 100)),
       {},
       {}});
}

/// The same runtime without and with a large host, alternating, so that the two can be compared.
void measure_resident(const Options& options, Report& report) {
  constexpr std::size_t kSize = std::size_t{4} << 30U;
  constexpr int kAlternations = 4;
  const auto way = library_execute("prx execute, pool=0", make_library_runtime(0), request_for(kNoop));
  const std::vector<Contender> contenders{bare_spawn(kNoop), way};
  std::vector<Series> small;
  std::vector<Series> large;
  const auto append = [](std::vector<Series>& all, std::vector<Series> more) {
    if (all.empty()) return void(all = std::move(more));
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].ns.insert(all[i].ns.end(), more[i].ns.begin(), more[i].ns.end());
    }
  };
  for (int i = 0; i < kAlternations; ++i) {
    append(small, measure_interleaved(contenders, schedule_of(options, 100)));
    const ResidentMemory memory(kSize);
    append(large, measure_interleaved(contenders, schedule_of(options, 100)));
  }
  report.add({"resident", "static no-op, host of 4 GiB resident", large, start_targets(), {}});
  for (std::size_t i = 0; i < large.size(); ++i) {
    const auto name = large[i].name + ", 4 GiB resident";
    report.add({"resident",
                "static no-op, the same host without and with 4 GiB resident",
                {small[i], {name, large[i].ns}},
                {{name, Target::Of::ratio, kUnchanged}},
                {}});
  }
}

void measure_threads(const Options& options, Report& report) {
  const IdleThreads threads(64);
  measure_pairs(report, "threads", "static no-op, host of 64 threads", kNoop, request_for(kNoop),
                schedule_of(options, 200));
}

void measure_cli(const Options& options, Report& report) {
  if (::access(PRX_BENCH_PRX, X_OK) != 0)
    return report.leave_out("the prx program", "it is not in this build");
  const auto compare = [&](const char* work, const Argv& argv, Argv prx_argv) {
    prx_argv.insert(prx_argv.begin(), {PRX_BENCH_PRX, "run", "--set", "security.sandbox.backend=none"});
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
