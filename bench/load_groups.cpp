#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "bench/contenders.hpp"
#include "bench/groups.hpp"
#include "bench/host.hpp"

namespace prx::bench {
namespace {

/// At least 0.9 times the throughput.
constexpr double kOutputTarget = 1 / 0.9;
constexpr double kManyTarget = 1.15;
constexpr double kMemoryGrowth = 8U << 20U;

Argv writer(std::uint64_t bytes) {
  return {PRX_BENCH_WRITER, std::to_string(bytes)};
}

}  // namespace

void measure_output(const Options& options, Report& report) {
  constexpr std::uint64_t kSize = 64U << 20U;
  const auto argv = writer(kSize);
  const auto runtime = make_library_runtime(0);
  const auto schedule = schedule_of(options, 60);
  report.add({"output",
              "64 MiB of output, 1 MiB kept",
              measure_interleaved(
                  {
                      bare("bare read loop", argv),
                      library_execute("prx execute", runtime, request_for(argv)),
                      library_start("prx start + wait", runtime, request_for(argv)),
                      python_subprocess("Python subprocess.run (keeps all)", argv),
                  },
                  schedule),
              {{"prx execute", Target::Of::ratio, kOutputTarget},
               {"prx start + wait", Target::Of::ratio, kOutputTarget}},
              {}});
}

void measure_flood(const Options& options, Report& report) {
  constexpr std::uint64_t kSize = std::uint64_t{4} << 30U;
  const auto argv = writer(kSize);
  auto request = request_for(argv);
  request.max_output = Bytes{1U << 20U};
  auto schedule = schedule_of(options, 4);
  schedule.warmup = 0;
  const auto runtime = make_library_runtime(0);
  check(runtime->execute(request_for({PRX_BENCH_NOOP})));  // what is made once is not growth
  double growth = 0;
  auto library = library_execute("prx execute", runtime, request);
  const auto watched = [&, run = library.run] {
    reset_peak_resident();
    const auto before = resident();
    const auto ns = run();
    growth = std::max(growth, static_cast<double>(peak_resident() - before));
    return ns;
  };
  library.run = watched;
  Table table{"flood",
              "4 GiB of output, 1 MiB kept",
              measure_interleaved({bare("bare read loop", argv), library}, schedule),
              {{"prx execute", Target::Of::ratio, kOutputTarget}},
              {}};
  table.facts.push_back({"growth of the host's memory", growth, "bytes", kMemoryGrowth});
  report.add(std::move(table));
}

void measure_many(const Options& options, Report& report) {
  const Argv argv{PRX_BENCH_NOOP};
  const auto request = request_for(argv);
  const auto runtime = make_library_runtime(0);
  (void)library_at_once("", runtime, request, 1).run();  // what is made once is not part of it
  for (const std::size_t count : {1U, 8U, 64U, 512U}) {
    const auto descriptors = open_descriptors();
    auto schedule = schedule_of(options, count == 1 ? 200 : 1600.0 / static_cast<double>(count) + 12);
    schedule.warmup = 2;
    Table table{"many",
                fmt::format("static no-op, {} at once", count),
                measure_interleaved(
                    {
                        bare_at_once("bare posix_spawn", argv, count),
                        library_at_once("prx start + wait", runtime, request, count),
                    },
                    schedule),
                {},
                {}};
    if (count == 512) table.targets.push_back({"prx start + wait", Target::Of::ratio, kManyTarget});
    table.facts.push_back({"descriptors left open",
                           static_cast<double>(open_descriptors()) - static_cast<double>(descriptors), "",
                           0.0});
    table.facts.push_back({"zombies left", static_cast<double>(zombies_left()), "", 0.0});
    report.add(std::move(table));
  }
}

}  // namespace prx::bench
