#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/measure.hpp"

namespace prx::bench {

/// What a row has to reach, against the first contender of its table.
struct Target {
  enum class Of : std::uint8_t { ratio, difference_ns, value };
  std::string contender;
  Of of = Of::ratio;
  double at_most = 0;
};

/// A single number beside the times: bytes of memory, descriptors left.
struct Fact {
  std::string name;
  double value = 0;
  std::string unit;
  std::optional<double> at_most;
};

/// One piece of work, done by several contenders; the first is what the others are compared with.
struct Table {
  std::string group;
  std::string work;
  std::vector<Series> series;
  std::vector<Target> targets;
  std::vector<Fact> facts;
};

/// Prints tables as they come and keeps them for the JSON file.
class Report {
 public:
  void add(Table table);
  /// A row that could not be measured here, and why.
  void leave_out(std::string what, std::string why);

  [[nodiscard]] bool all_targets_reached() const { return missed_ == 0; }
  void print_summary() const;
  [[nodiscard]] std::string to_json(std::string_view machine) const;

 private:
  std::vector<Table> tables_;
  std::vector<std::pair<std::string, std::string>> left_out_;
  std::size_t missed_ = 0;
  std::size_t reached_ = 0;
};

}  // namespace prx::bench
