#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bench/report.hpp"

namespace prx::bench {

struct Options {
  /// Multiplies the number of rounds.
  double effort = 1;
};

/// One group of tables. Each is measured in one run of the program, so that its rows can be compared.
struct Group {
  std::string_view name;
  std::string_view what;
  void (*run)(const Options& options, Report& report);
};

// What a start costs (start_groups.cpp).
void measure_start(const Options& options, Report& report);
void measure_shell(const Options& options, Report& report);
void measure_resident(const Options& options, Report& report);
void measure_threads(const Options& options, Report& report);
void measure_cli(const Options& options, Report& report);

// What comes out, and many at once (load_groups.cpp).
void measure_output(const Options& options, Report& report);
void measure_flood(const Options& options, Report& report);
void measure_many(const Options& options, Report& report);

// The sandbox of native commands, and those of others (sandbox_groups.cpp).
void measure_sandbox(const Options& options, Report& report);
void measure_sandbox_host(const Options& options, Report& report);
void measure_sandbox_cli(const Options& options, Report& report);
void measure_sandbox_many(const Options& options, Report& report);
void measure_sandbox_work(const Options& options, Report& report);

// Modules (wasm_groups.cpp).
void measure_wasm(const Options& options, Report& report);

/// The rounds that `options` makes of `rounds`; at least one.
[[nodiscard]] Schedule schedule_of(const Options& options, double rounds);

}  // namespace prx::bench
