#include "init/launcher.hpp"

#include <linux/close_range.h>

#include "init/identity.hpp"
#include "init/cell_stock.hpp"
#include "init/process.hpp"
#include "init/slot.hpp"
#include "init/sys.hpp"

namespace prx::init {
namespace {

using protocol::Step;

constexpr std::size_t kMaxWords = 4096;

ConfineResult failure(Step step, long error, std::string_view subject = {}) {
  return {step, static_cast<int>(-error), subject};
}

/// `target` is then the only descriptor of the two that stays open across exec.
long pass_on(int fd, int target) {
  if (fd == target) return raw_syscall(__NR_fcntl, fd, F_SETFD, 0);
  return raw_syscall(__NR_dup3, fd, target, 0);
}

long pass_descriptors(const Cell& cell, int stream) {
  const long image = open_path("/proc/self/exe", O_RDONLY);
  if (image < 0) return image;
  // Above all targets, so that none is overwritten before it is passed on.
  const long safe_stream = raw_syscall(__NR_fcntl, stream, F_DUPFD_CLOEXEC, kImageFd + 1);
  const long safe_image = raw_syscall(__NR_fcntl, image, F_DUPFD_CLOEXEC, kImageFd + 1);
  if (safe_stream < 0 || safe_image < 0) return -EMFILE;
  close_fd(kCgroupFd);
  long error = pass_on(static_cast<int>(safe_stream), kStreamFd);
  if (error >= 0) error = pass_on(static_cast<int>(safe_image), kImageFd);
  if (error >= 0) error = pass_on(cell.plan_fd, kPlanFd);
  if (error >= 0) error = pass_on(kHostPidFd, kHostPidFd);
  if (error < 0) return error;
  // Launchers pass on whatever they have.
  return raw_syscall(__NR_close_range, kImageFd + 1, ~0U, CLOSE_RANGE_CLOEXEC);
}

}  // namespace

ConfineResult launch(const Cell& cell, int stream) {
  const auto& words = cell.plan->launcher;
  if (words.count == 0 || words.count > kMaxWords) return {Step::plan, EBADMSG};
  auto** argv = reinterpret_cast<char**>(map_memory((std::size_t{words.count} + 3) * sizeof(char*)));
  if (argv == nullptr) return {Step::slot, ENOMEM};
  auto** at = argv;
  words.for_each([&at](std::string_view word) { *at++ = const_cast<char*>(word.data()); });
  static char program[] = "/proc/self/fd/7";  // kImageFd
  static char role[] = "slot";
  *at++ = program;
  *at++ = role;
  *at = nullptr;
  if (const long error = leave_root(*cell.plan); error < 0) return failure(Step::identity, error);
  if (const long error = pass_descriptors(cell, stream); error < 0) return failure(Step::slot, error);
  unblock_all_signals();
  char* const environment[] = {nullptr};
  const long error = raw_syscall(__NR_execve, as_arg(argv[0]), as_arg(argv), as_arg(environment));
  return failure(Step::launcher, error, argv[0]);
}

int run_launched_slot() {
  static constinit CellStock stock;
  close_fd(kImageFd);
  const int signal_fd = prepare_process();
  stock.open(kPlanFd);
  ConfineResult result;
  auto cell = stock.take(result);
  if (!result.ok()) {
    refuse_slot(kStreamFd, result);
    return 1;
  }
  cell.inside = true;
  return run_slot({{kStreamFd, kStreamFd}, kHostPidFd, signal_fd}, {}, cell);
}

}  // namespace prx::init
