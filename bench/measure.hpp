#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace prx::bench {

/// One way to do the work. `run` does it once and returns how long it took.
struct Contender {
  std::string name;
  std::function<double()> run;  ///< nanoseconds
};

/// The times of one contender, in the order they were taken; entry i of two contenders is a pair.
struct Series {
  std::string name;
  std::vector<double> ns;
};

struct Schedule {
  std::size_t warmup = 5;
  std::size_t rounds = 200;
  /// Between two runs: time for what the last one left behind in other processes to end, so that it is not
  /// charged to the next contender. Spent spinning, since a processor that sleeps wakes up slowly.
  double settle_ns = 1e6;
};

/// Runs the contenders in turn, A B C B C A C A B …, so that a slow moment of the machine hits all of them.
std::vector<Series> measure_interleaved(const std::vector<Contender>& contenders, const Schedule& schedule);

/// Wall time of `work` in nanoseconds.
double time_of(const std::function<void()>& work);

/// A contender that repeats another one without a pause, and reports the mean.
Contender back_to_back(Contender contender, std::size_t times);

struct Summary {
  double min = 0;
  double median = 0;
  double p99 = 0;
};
Summary summarize(const Series& series);

struct Comparison {
  double ratio_of_medians = 0;
  double median_of_ratios = 0;       ///< of the pairs
  double median_of_differences = 0;  ///< of the pairs, ns
};
Comparison compare(const Series& subject, const Series& base);

}  // namespace prx::bench
