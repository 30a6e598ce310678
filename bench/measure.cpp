#include "bench/measure.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace prx::bench {
namespace {

using Clock = std::chrono::steady_clock;

double ns_since(Clock::time_point start) {
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count();
}

void spin(double ns) {
  const auto start = Clock::now();
  while (ns_since(start) < ns) {
  }
}

double quantile(std::vector<double> values, double part) {
  if (values.empty()) return 0;
  const auto last = static_cast<double>(values.size() - 1);
  const auto place = values.begin() + static_cast<std::ptrdiff_t>(last * part + 0.5);
  std::nth_element(values.begin(), place, values.end());
  return *place;
}

double median(std::vector<double> values) {
  return quantile(std::move(values), 0.5);
}

}  // namespace

std::vector<Series> measure_interleaved(const std::vector<Contender>& contenders, const Schedule& schedule) {
  std::vector<Series> all;
  for (const auto& contender : contenders) {
    for (std::size_t i = 0; i < schedule.warmup; ++i) contender.run();
    all.push_back({contender.name, {}});
    all.back().ns.reserve(schedule.rounds);
  }
  for (std::size_t round = 0; round < schedule.rounds; ++round) {
    for (std::size_t turn = 0; turn < contenders.size(); ++turn) {
      const auto place = (round + turn) % contenders.size();
      spin(schedule.settle_ns);
      all[place].ns.push_back(contenders[place].run());
    }
  }
  return all;
}

double time_of(const std::function<void()>& work) {
  const auto start = Clock::now();
  work();
  return ns_since(start);
}

Contender back_to_back(Contender contender, std::size_t times) {
  return {std::move(contender.name), [run = std::move(contender.run), times] {
            const auto total = time_of([&] {
              for (std::size_t i = 0; i < times; ++i) run();
            });
            return total / static_cast<double>(times);
          }};
}

Summary summarize(const Series& series) {
  return {quantile(series.ns, 0), median(series.ns), quantile(series.ns, 0.99)};
}

Comparison compare(const Series& subject, const Series& base) {
  std::vector<double> ratios;
  std::vector<double> differences;
  for (std::size_t i = 0; i < std::min(subject.ns.size(), base.ns.size()); ++i) {
    ratios.push_back(subject.ns[i] / base.ns[i]);
    differences.push_back(subject.ns[i] - base.ns[i]);
  }
  return {median(subject.ns) / median(base.ns), median(std::move(ratios)), median(std::move(differences))};
}

}  // namespace prx::bench
