#pragma once

#include <string>

#include "cli/plan_report.hpp"
#include "io/json.hpp"
#include "sandbox/blueprint.hpp"
#include "sandbox/limits.hpp"

namespace prx::cli {

/// Adds what a sandbox consists of: items for what holds once, tables for the rest.
void add_sandbox(PlanReport& report, const sandbox::Blueprint& blueprint);

/// Adds the limits of `[security.resources]`, each with what holds a command to it.
void add_limits(PlanReport& report, const Config& config, const sandbox::LimitPlan& limits);

/// A title and aligned rows; the last column, which tells where a row comes from, as a comment.
[[nodiscard]] std::string table_text(const PlanTable& table);
/// An array of objects.
[[nodiscard]] io::Json table_json(const PlanTable& table);

}  // namespace prx::cli
