#include "init/limits.hpp"

#include <linux/prctl.h>
#include <sys/resource.h>

#include "init/sys.hpp"
#include "init/text.hpp"
#include "os/directory_entries.hpp"

namespace prx::init {
namespace {

/// Points, of which a thousand are the memory that there is; added to a process's size.
constexpr int kOffered = 500;
constexpr int kMost = 1000;

int read_score(int fd) {
  char text[16] = {};
  if (raw_syscall(__NR_pread64, fd, as_arg(text), sizeof(text) - 1, 0) <= 0) return 0;
  return text[0] == '-' ? -os::read_decimal(text + 1) : os::read_decimal(text);
}

void write_score(int fd, int score) {
  Text<16> text;
  if (score < 0) text.put("-");
  text.put(static_cast<std::uint64_t>(score < 0 ? -score : score));
  raw_syscall(__NR_pwrite64, fd, as_arg(text.c_str()), static_cast<long>(text.size()), 0);
}

}  // namespace

long set_rlimits(const protocol::SlotPlan& plan, bool terminal) {
  long result = 0;
  plan.rlimits.for_each([&](const protocol::PlannedRlimit& planned) {
    if (planned.resource == RLIMIT_CPU && !limits_cpu_time(&plan, terminal)) return;
    const rlimit limit{planned.soft, planned.hard};
    const long error = raw_syscall(__NR_prlimit64, 0, planned.resource, as_arg(&limit), 0);
    if (error < 0 && result == 0) result = error;
  });
  return result;
}

int open_own_oom_score() {
  // Its files in /proc are root's while a process is not dumpable.
  raw_syscall(__NR_prctl, PR_SET_DUMPABLE, 1);
  const long fd = open_path("/proc/self/oom_score_adj", O_RDWR);
  raw_syscall(__NR_prctl, PR_SET_DUMPABLE, 0);
  return static_cast<int>(fd);
}

OfferedToOomKiller::OfferedToOomKiller(int oom_score) : oom_score_(oom_score) {
  if (oom_score_ < 0) return;
  before_ = read_score(oom_score_);
  write_score(oom_score_, before_ + kOffered < kMost ? before_ + kOffered : kMost);
}

OfferedToOomKiller::~OfferedToOomKiller() {
  if (oom_score_ >= 0) write_score(oom_score_, before_);
}

}  // namespace prx::init
