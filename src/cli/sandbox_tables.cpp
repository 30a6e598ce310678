#include "cli/sandbox_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.hpp"
#include "base/utf8.hpp"
#include "sandbox/description.hpp"

namespace prx::cli {
namespace {

constexpr std::size_t kWidest = 44;

PlanTable mounts_table(const sandbox::Description& description) {
  PlanTable table{"mounts", {"access", "target", "source", "rule", "origin"}, {}};
  for (const auto& line : description.mounts) {
    table.rows.push_back({line.access, line.target, line.source, line.rule, line.origin});
  }
  return table;
}

PlanTable watched_table(const sandbox::Description& description) {
  PlanTable table{"watched_places", {"path", "may_appear", "origin"}, {}};
  for (const auto& line : description.watched)
    table.rows.push_back({line.path, line.may_appear, line.origin});
  return table;
}

PlanTable never_visible_table(const sandbox::Description& description) {
  PlanTable table{"never_visible", {"path", "what", "origin"}, {}};
  for (const auto& line : description.never_visible)
    table.rows.push_back({line.path, line.what, line.origin});
  return table;
}

PlanTable calls_table(const sandbox::Description& description) {
  PlanTable table{"denied_calls", {"rule", "calls", "about"}, {}};
  for (const auto& line : description.calls) table.rows.push_back({line.rule, line.calls, line.about});
  return table;
}

PlanTable landlock_table(const sandbox::Description& description) {
  PlanTable table{"landlock_rules", {"path", "rights"}, {}};
  for (const auto& line : description.landlock) table.rows.push_back({line.path, line.rights});
  return table;
}

std::size_t width_of(const PlanTable& table, std::size_t column) {
  std::size_t width = 0;
  for (const auto& row : table.rows) width = std::max(width, row.at(column).size());
  return std::min(width, kWidest);
}

std::string row_text(const PlanTable& table, const std::vector<std::string>& row) {
  std::string text = " ";
  for (std::size_t i = 0; i < row.size(); ++i) {
    const bool is_origin = table.columns.at(i) == "origin";
    text += is_origin ? " # " : " ";
    const auto cell = base::printable(row.at(i));
    text += i + 1 == row.size() ? cell : fmt::format("{:<{}}", cell, width_of(table, i));
  }
  return text + "\n";
}

}  // namespace

void add_sandbox(PlanReport& report, const sandbox::Blueprint& blueprint) {
  const sandbox::RealHost host;
  const auto description = sandbox::describe_plan(blueprint, host);
  for (const auto& fact : description.facts) report.items.push_back({fact.key, fact.value, fact.origin});
  report.tables.push_back(mounts_table(description));
  report.tables.push_back(watched_table(description));
  report.tables.push_back(never_visible_table(description));
  report.tables.push_back(calls_table(description));
  report.tables.push_back(landlock_table(description));
}

void add_limits(PlanReport& report, const Config& config, const sandbox::LimitPlan& limits) {
  PlanTable table{"limits", {"name", "value", "by", "origin"}, {}};
  for (const auto& line : sandbox::describe_limits(config, limits)) {
    table.rows.push_back({line.name, line.value, line.by, line.origin});
  }
  report.tables.push_back(std::move(table));
}

std::string table_text(const PlanTable& table) {
  auto title = table.key;
  std::replace(title.begin(), title.end(), '_', ' ');
  if (table.rows.empty()) return title + "\n  (none)\n";
  std::string text = title + "\n";
  for (const auto& row : table.rows) text += row_text(table, row);
  return text;
}

io::Json table_json(const PlanTable& table) {
  io::Json array = io::Json::array();
  for (const auto& row : table.rows) {
    io::Json entry = io::Json::object();
    for (std::size_t i = 0; i < row.size(); ++i)
      entry.set(table.columns.at(i), base::to_utf8_lossy(row.at(i)));
    array.push(std::move(entry));
  }
  return array;
}

}  // namespace prx::cli
