#include "init/usage_watch.hpp"

#include <sys/resource.h>

#include "init/limits.hpp"
#include "init/sys.hpp"
#include "init/text.hpp"
#include "os/raw_clock.hpp"

namespace prx::init {
namespace {

using os::kNsPerMs;

/// As fast as a few processors can take memory.
constexpr std::uint64_t kBytesPerMs = 4U << 20U;
constexpr std::uint64_t kShortestPause = 10 * kNsPerMs;
/// Memory is looked at this often in any case: not all that takes it is as slow as assumed.
constexpr std::uint64_t kLongestPause = 500 * kNsPerMs;

std::uint64_t pause_for_memory(std::uint64_t left_bytes) {
  const auto pause = left_bytes / kBytesPerMs * kNsPerMs;
  return pause < kShortestPause ? kShortestPause : pause > kLongestPause ? kLongestPause : pause;
}

std::uint64_t pause_for_cpu(std::uint64_t left_us, std::uint32_t cpus) {
  const auto pause = left_us * 1000 / (cpus == 0 ? 1 : cpus);
  return pause < kShortestPause ? kShortestPause : pause;
}

std::uint64_t to_us(const timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000U + static_cast<std::uint64_t>(time.tv_usec);
}

/// CPU time of a process and of those that it has waited for, in ticks of a hundredth of a second.
std::uint64_t cpu_ticks(int pid) {
  Text<64> path;
  path.put("/proc/").put(static_cast<std::uint64_t>(pid)).put("/stat");
  const long fd = open_path(path.c_str(), O_RDONLY);
  if (fd < 0) return 0;
  char text[512];
  const long size = read_fd(static_cast<int>(fd), text, sizeof(text));
  close_fd(static_cast<int>(fd));
  // "pid (name) state …": the name may hold anything, so count from the last parenthesis.
  long at = size - 1;
  while (at > 0 && text[at] != ')') --at;
  constexpr int kFirst = 12;  // words after the parenthesis: utime, stime, cutime, cstime
  constexpr int kLast = 15;
  std::uint64_t ticks = 0;
  std::uint64_t value = 0;
  int word = 0;
  for (++at; at < size; ++at) {
    if (text[at] == ' ') {
      if (word >= kFirst && word <= kLast) ticks += value;
      value = 0;
      ++word;
    } else if (text[at] >= '0' && text[at] <= '9') {
      value = value * 10 + static_cast<std::uint64_t>(text[at] - '0');
    }
  }
  return ticks;
}

/// Without a group: what was reaped and what is alive. A process that nobody waits for takes its time along.
std::uint64_t tree_cpu_us(const ProcessTree& tree) {
  constexpr std::uint64_t kUsPerTick = 10'000;
  rusage reaped{};
  raw_syscall(__NR_getrusage, RUSAGE_CHILDREN, as_arg(&reaped));
  std::uint64_t ticks = 0;
  tree.for_each([](int pid, void* sum) { *static_cast<std::uint64_t*>(sum) += cpu_ticks(pid); }, &ticks);
  return to_us(reaped.ru_utime) + to_us(reaped.ru_stime) + ticks * kUsPerTick;
}

}  // namespace

void UsageWatch::start(const Confined& confined, bool terminal) {
  if (confined.plan == nullptr) return;
  confined_ = &confined;
  limits_ = confined.plan->watch;
  const auto now = os::monotonic_ns();
  if (limits_cpu_time(confined.plan, terminal)) {
    if (confined.groups.stats().cpu >= 0) cpu_at_start_us_ = confined.groups.stats().cpu_us();
    next_cpu_ns_ = now + pause_for_cpu(limits_.cpu_us, limits_.cpus);
  }
  if (limits_.memory_bytes != 0) next_memory_ns_ = now + pause_for_memory(limits_.memory_bytes);
}

std::uint64_t UsageWatch::next_look_ns() const {
  if (next_memory_ns_ == 0 || next_cpu_ns_ == 0) return next_memory_ns_ + next_cpu_ns_;
  return next_memory_ns_ < next_cpu_ns_ ? next_memory_ns_ : next_cpu_ns_;
}

UsageWatch::Finding UsageWatch::look() {
  const auto now = os::monotonic_ns();
  if (next_memory_ns_ != 0 && now >= next_memory_ns_) {
    if (!scan_) scan_.emplace(confined_->tree);
    if (scan_->exceeds(limits_.memory_bytes)) return Finding::memory;
    next_memory_ns_ = os::monotonic_ns() + pause_for_memory(limits_.memory_bytes - scan_->found());
  }
  if (next_cpu_ns_ != 0 && now >= next_cpu_ns_) {
    const auto used = cpu_us();
    if (used >= limits_.cpu_us) {
      next_cpu_ns_ = 0;  // told once
      return Finding::cpu_time;
    }
    next_cpu_ns_ = now + pause_for_cpu(limits_.cpu_us - used, limits_.cpus);
  }
  return Finding::within;
}

std::uint64_t UsageWatch::cpu_us() const {
  const auto& stats = confined_->groups.stats();
  return stats.cpu >= 0 ? stats.cpu_us() - cpu_at_start_us_ : tree_cpu_us(confined_->tree);
}

}  // namespace prx::init
