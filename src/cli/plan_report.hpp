#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <prx/config.hpp>
#include <prx/request.hpp>

#include "cli/run_options.hpp"
#include "io/json.hpp"

namespace prx::cli {

/// One rule of the plan: what holds, and what made it so.
struct PlanItem {
  std::string key;  ///< stable, the member's name in JSON
  std::string value;
  std::string origin;  ///< "config.toml:3:1", "--timeout 2s", "built-in", "PRX_RUNTIME__BACKEND"
};

struct PlanVariable {
  std::string name;
  std::string value;
  std::string origin;
};

/// One part of the sandbox, each row with the same fields.
struct PlanTable {
  std::string key;                   ///< stable, the member's name in JSON
  std::vector<std::string> columns;  ///< stable, the members of each row in JSON
  std::vector<std::vector<std::string>> rows;
};

/// What `prx run` would do, without doing it.
struct PlanReport {
  std::vector<PlanItem> items;
  std::vector<PlanTable> tables;  ///< of the sandbox, and the limits
  std::vector<PlanVariable> env;
  std::uint32_t env_withheld = 0;
  bool possible = true;  ///< false when no backend takes it
};

/// From the plan that a runtime would be made of. Without a backend there is as much as can be said.
[[nodiscard]] PlanReport plan_report(const ExecutionRequest& request, const RunOptions& options,
                                     const Config& config, bool json);

[[nodiscard]] std::string plan_text(const PlanReport& report);
[[nodiscard]] io::Json plan_json(const PlanReport& report);

}  // namespace prx::cli
