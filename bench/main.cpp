// prx_bench: measures prx against the least code that does the same, in one run (docs/benchmarks.md).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <vector>

#include "bench/groups.hpp"
#include "bench/host.hpp"

namespace prx::bench {
namespace {

constexpr std::array<Group, 14> kGroups{{
    {"start", "a static no-op, one at a time and back to back", measure_start},
    {"shell", "/bin/sh -c true", measure_shell},
    {"resident", "a host of 4 GiB resident memory", measure_resident},
    {"threads", "a host of 64 threads", measure_threads},
    {"many", "1, 8, 64, 512 at once", measure_many},
    {"output", "64 MiB of output", measure_output},
    {"flood", "4 GiB of output with a cap of 1 MiB", measure_flood},
    {"cli", "the prx program as a whole process", measure_cli},
    {"sandbox", "a static no-op in the sandbox, and in those of others", measure_sandbox},
    {"sandbox-host", "the same of large hosts and of many threads", measure_sandbox_host},
    {"sandbox-cli", "the sandbox as a prefix before a command", measure_sandbox_cli},
    {"sandbox-many", "200 in a row, 64 at once", measure_sandbox_many},
    {"sandbox-work", "compilers, git and pipelines inside and outside", measure_sandbox_work},
    {"wasm", "modules, beside the program of their engine", measure_wasm},
}};

struct Arguments {
  Options options;
  std::string json_file;
  std::vector<std::string_view> groups;
};

[[noreturn]] void print_usage() {
  fmt::print("usage: prx_bench [--json FILE] [--effort FACTOR] [GROUP…]\n\n");
  for (const auto& group : kGroups) fmt::print("  {:<14}{}\n", group.name, group.what);
  std::exit(2);
}

Arguments parse(const std::vector<std::string_view>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool has_value = i + 1 < words.size();
    if (words[i] == "--json" && has_value) {
      arguments.json_file = words[++i];
    } else if (words[i] == "--effort" && has_value) {
      arguments.options.effort = std::strtod(words[++i].data(), nullptr);
    } else if (std::any_of(kGroups.begin(), kGroups.end(),
                           [&](const Group& group) { return group.name == words[i]; })) {
      arguments.groups.push_back(words[i]);
    } else {
      print_usage();
    }
  }
  return arguments;
}

bool is_wanted(const Arguments& arguments, const Group& group) {
  return arguments.groups.empty() ||
         std::find(arguments.groups.begin(), arguments.groups.end(), group.name) != arguments.groups.end();
}

int run(const Arguments& arguments) {
  raise_descriptor_limit();
  const auto machine = describe_machine();
  fmt::print("{}\n", machine);
  Report report;
  for (const auto& group : kGroups) {
    if (is_wanted(arguments, group)) group.run(arguments.options, report);
  }
  report.print_summary();
  if (!arguments.json_file.empty()) std::ofstream(arguments.json_file) << report.to_json(machine);
  return report.all_targets_reached() ? 0 : 1;
}

}  // namespace

Schedule schedule_of(const Options& options, double rounds) {
  Schedule schedule;
  schedule.rounds = static_cast<std::size_t>(std::max(1.0, rounds * options.effort));
  return schedule;
}

}  // namespace prx::bench

int main(int argc, char** argv) {
  using namespace prx::bench;
  return run(parse(std::vector<std::string_view>(argv + 1, argv + argc)));
}
