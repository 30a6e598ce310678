#include "bench/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace prx::bench {
namespace {

struct Row {
  Summary summary;
  Comparison comparison;
  std::optional<Target> target;
};

Row make_row(const Table& table, const Series& series) {
  Row row{summarize(series), compare(series, table.series.front()), {}};
  const auto found = std::find_if(table.targets.begin(), table.targets.end(),
                                  [&](const Target& target) { return target.contender == series.name; });
  if (found != table.targets.end()) row.target = *found;
  return row;
}

double value_for(const Target& target, const Row& row) {
  switch (target.of) {
    case Target::Of::ratio:
      return row.comparison.median_of_ratios;
    case Target::Of::difference_ns:
      return row.comparison.median_of_differences;
    case Target::Of::value:
      return row.summary.median;
  }
  return 0;
}

bool is_reached(const Row& row) {
  return value_for(*row.target, row) <= row.target->at_most;
}
bool is_reached(const Fact& fact) {
  return fact.value <= *fact.at_most;
}

std::string ms(double ns) {
  return fmt::format("{:.3f}", ns / 1e6);
}

std::string verdict(const Row& row) {
  if (!row.target) return {};
  const auto bound = row.target->of == Target::Of::ratio ? fmt::format("{:.2f}x", row.target->at_most)
                     : row.target->of == Target::Of::difference_ns
                         ? fmt::format("+{} ms", ms(row.target->at_most))
                         : fmt::format("{} ms", ms(row.target->at_most));
  return fmt::format("{} (at most {})", is_reached(row) ? "ok" : "MISSED", bound);
}

void print(const Table& table) {
  fmt::print("\n{}: {}\n", table.group, table.work);
  fmt::print("  {:<34}{:>11}{:>11}{:>11}{:>9}{:>9}{:>11}\n", "ms", "min", "median", "p99", "medians", "pairs",
             "over base");
  for (const auto& series : table.series) {
    const auto row = make_row(table, series);
    fmt::print("  {:<34}{:>11}{:>11}{:>11}{:>8.3f}x{:>8.3f}x{:>11}  {}\n", series.name, ms(row.summary.min),
               ms(row.summary.median), ms(row.summary.p99), row.comparison.ratio_of_medians,
               row.comparison.median_of_ratios, ms(row.comparison.median_of_differences), verdict(row));
  }
  for (const auto& fact : table.facts) {
    fmt::print("  {}: {:.6g} {}", fact.name, fact.value, fact.unit);
    if (fact.at_most) fmt::print("  {} (at most {:g})", is_reached(fact) ? "ok" : "MISSED", *fact.at_most);
    fmt::print("\n");
  }
  std::fflush(stdout);
}

std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  }
  return result + '"';
}

template <class Range, class F>
std::string array_of(const Range& range, F&& text_of) {
  std::string result = "[";
  for (const auto& entry : range) result += (result.size() > 1 ? ", " : "") + text_of(entry);
  return result + "]";
}

std::string json_of(const Table& table, const Series& series) {
  const auto row = make_row(table, series);
  auto text = fmt::format(
      R"({{"contender": {}, "samples": {}, "min_ns": {:.0f}, "median_ns": {:.0f}, "p99_ns": {:.0f}, )"
      R"("ratio_of_medians": {:.4f}, "median_of_ratios": {:.4f}, "median_of_differences_ns": {:.0f})",
      quoted(series.name), series.ns.size(), row.summary.min, row.summary.median, row.summary.p99,
      row.comparison.ratio_of_medians, row.comparison.median_of_ratios, row.comparison.median_of_differences);
  if (row.target) {
    text += fmt::format(R"(, "at_most": {}, "value": {:.4f}, "reached": {})", row.target->at_most,
                        value_for(*row.target, row), is_reached(row));
  }
  return text + "}";
}

std::string json_of(const Fact& fact) {
  auto text = fmt::format(R"({{"name": {}, "value": {}, "unit": {})", quoted(fact.name), fact.value,
                          quoted(fact.unit));
  if (fact.at_most) text += fmt::format(R"(, "at_most": {}, "reached": {})", *fact.at_most, is_reached(fact));
  return text + "}";
}

std::string json_of(const Table& table) {
  return fmt::format("\n  {{\"group\": {}, \"work\": {},\n   \"rows\": {},\n   \"facts\": {}}}",
                     quoted(table.group), quoted(table.work),
                     array_of(table.series, [&](const Series& series) { return json_of(table, series); }),
                     array_of(table.facts, [](const Fact& fact) { return json_of(fact); }));
}

}  // namespace

void Report::add(Table table) {
  print(table);
  const auto count = [this](bool reached) { ++(reached ? reached_ : missed_); };
  for (const auto& series : table.series) {
    if (const auto row = make_row(table, series); row.target) count(is_reached(row));
  }
  for (const auto& fact : table.facts) {
    if (fact.at_most) count(is_reached(fact));
  }
  tables_.push_back(std::move(table));
}

void Report::leave_out(std::string what, std::string why) {
  fmt::print("\nnot measured: {}: {}\n", what, why);
  left_out_.emplace_back(std::move(what), std::move(why));
}

void Report::print_summary() const {
  fmt::print("\n{} targets reached, {} missed\n", reached_, missed_);
}

std::string Report::to_json(std::string_view machine) const {
  const auto left_out = array_of(left_out_, [](const auto& entry) {
    return fmt::format(R"({{"what": {}, "why": {}}})", quoted(entry.first), quoted(entry.second));
  });
  return fmt::format("{{\"machine\": {},\n \"tables\": {},\n \"not_measured\": {}}}\n", quoted(machine),
                     array_of(tables_, [](const Table& table) { return json_of(table); }), left_out);
}

}  // namespace prx::bench
