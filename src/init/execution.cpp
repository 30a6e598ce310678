#include "init/execution.hpp"

#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>

#include "init/command.hpp"
#include "init/command_report.hpp"
#include "init/denials.hpp"
#include "init/limits.hpp"
#include "init/process.hpp"
#include "init/stdio.hpp"
#include "init/sys.hpp"
#include "init/usage_watch.hpp"
#include "os/raw_clock.hpp"
#include "protocol/cursor.hpp"
#include "protocol/trailer.hpp"

namespace prx::init {
namespace {

using protocol::Cause;
using protocol::ChannelId;
using protocol::FrameType;
using protocol::Step;

/// How long a tree that forks faster than it can be read is fought before it is reported as alive.
constexpr std::uint64_t kEndBound = 2 * os::kNsPerSecond;
/// How long the loop is tried before the group is used: leaving it costs more than a few leftovers do.
constexpr std::uint64_t kLoopBound = 20 * os::kNsPerMs;
/// How long a host that takes no output of a command that was ended, or no trailer, is waited for.
constexpr std::uint64_t kDrainBound = 10 * os::kNsPerSecond;

class Execution {
 public:
  Execution(const Sources& sources, const Confined& confined, FrameReader& reader, ReceivedRequest& received)
      : stream_(sources.stream),
        host_pidfd_(sources.host_pidfd),
        signal_fd_(sources.signal_fd),
        confined_(confined),
        listener_(confined.listener),
        reader_(reader),
        received_(received) {}

  void run() {
    if (start()) {
      serve_until_ended();
      end_leftovers();
      collect_usage();
    }
    if (host_gone_) return;
    drain_output();
    send_trailer();
    if (reported_) raw_syscall(__NR_wait4, main_pid_, 0, 0, 0);
  }

 private:
  // Steps of run().
  bool start();
  void serve_until_ended();
  void end_leftovers();
  void collect_usage();
  void drain_output();
  void send_trailer();

  // One turn of the loop.
  void wait_for_events(std::uint64_t until_ns);
  void read_host();
  bool handle_frame(const FrameReader::Frame& frame);
  void answer_denial();
  void take_report();
  void reap();
  void check_deadline();
  void check_usage();
  void note_cpu_limit(const rusage& usage);
  void begin_ending(Cause cause, int signal);

  void signal_tree(int signal) const;
  [[nodiscard]] bool fail(Step step, int error, std::string_view subject);

  Stream stream_;
  int host_pidfd_;
  int signal_fd_;
  const Confined& confined_;
  int listener_;  // -1: no filter, or one that tells nothing
  DenialCount denials_;
  FrameReader& reader_;
  ReceivedRequest& received_;
  Terminal terminal_;
  UsageWatch watch_;
  int main_pid_ = 0;
  bool main_ended_ = false;
  bool nothing_left_ = false;  // no child at all
  int report_fd_ = -1;
  bool reported_ = false;  // the end of the command is known from itself
  bool host_gone_ = false;
  bool kill_now_ = false;
  std::uint64_t deadline_ns_ = 0;  // 0: none; while ending: the end of the grace
  bool ending_ = false;
  std::uint64_t started_ns_ = 0;
  std::uint64_t ended_ns_ = 0;
  protocol::Trailer trailer_;
};

// Static: too large for a stack. constinit: nothing here runs constructors.
constinit FrameWriter writer;
constinit Relay relay;
constinit CommandReport report;

std::uint64_t microseconds(const timeval& time) {
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000U + static_cast<std::uint64_t>(time.tv_usec);
}

bool Execution::fail(Step step, int error, std::string_view subject) {
  trailer_.cause = Cause::setup_failed;
  trailer_.step = step;
  trailer_.error = error;
  trailer_.subject = subject;
  return false;
}

bool Execution::start() {
  if (!received_.well_formed) return fail(Step::request, received_.error, {});
  CommandStdio stdio;
  const auto opened = open_stdio(received_, stream_, relay, stdio, terminal_);
  if (opened.step != Step::none) return fail(opened.step, opened.error, {});
  const auto started = start_command(received_.request, stdio, confined_);
  close_stdio(stdio);
  started_ns_ = os::monotonic_ns();
  trailer_.spawn_ns = started_ns_ - received_.received_ns;
  if (started.step != Step::none) return fail(started.step, started.error, started.subject);
  main_pid_ = started.pid;
  report_fd_ = started.report_fd;
  watch_.start(confined_, terminal_.master >= 0);
  if (received_.request.timeout_ns != 0) deadline_ns_ = received_.received_ns + received_.request.timeout_ns;
  return true;
}

void Execution::serve_until_ended() {
  // Frames may have come along with the request.
  read_host();
  while (!host_gone_ && !kill_now_) {
    if (ending_ ? nothing_left_ : main_ended_) return;
    wait_for_events(os::earlier(deadline_ns_, watch_.next_look_ns()));
    check_deadline();
    check_usage();
  }
}

void Execution::wait_for_events(std::uint64_t until_ns) {
  constexpr std::size_t kOwnFds = 5;
  constexpr std::size_t kRelayFds = Relay::kPollFds + 1;
  pollfd fds[kOwnFds + kRelayFds] = {{stream_.in, POLLIN, 0},
                                     {host_pidfd_, POLLIN, 0},
                                     {signal_fd_, POLLIN, 0},
                                     {listener_, POLLIN, 0},
                                     {report_fd_, POLLIN, 0}};
  std::size_t count = kOwnFds;
  if (relay.active() || !writer.empty()) {
    relay.prepare_poll(std::span(fds).subspan<kOwnFds, Relay::kPollFds>(), writer, received_.order);
    fds[kOwnFds + Relay::kPollFds] = {writer.empty() ? -1 : stream_.out, POLLOUT, 0};
    count += kRelayFds;
  }
  const auto now = os::monotonic_ns();
  const auto left = os::to_timespec(until_ns > now ? until_ns - now : 0);
  if (poll_fds(std::span(fds).first(count), until_ns == 0 ? nullptr : &left) < 0) return;
  if (fds[4].revents != 0) take_report();
  if (fds[2].revents != 0) {
    take_child_signal(signal_fd_);
    reap();
  }
  if (fds[3].revents != 0) answer_denial();
  if (fds[1].revents != 0) host_gone_ = true;
  if (fds[0].revents != 0) read_host();
  if (relay.active()) relay.move(writer, received_.order);
  if (!writer.empty() && !writer.flush(stream_.out)) host_gone_ = true;
}

void Execution::read_host() {
  for (;;) {
    FrameReader::Frame frame;
    const auto next = reader_.next(frame);
    if (next == FrameReader::Next::frame && handle_frame(frame)) continue;
    if (next != FrameReader::Next::need_more) {
      host_gone_ = true;  // a host that breaks the protocol is no host
      return;
    }
    const auto status = reader_.fill(stream_.in, {});
    if (status == ReadStatus::closed) host_gone_ = true;
    if (status != ReadStatus::progress) return;
  }
}

bool Execution::handle_frame(const FrameReader::Frame& frame) {
  if (!received_.order.accept(frame.header)) return false;
  protocol::Reader payload(frame.payload);
  switch (frame.header.type) {
    case FrameType::data:
      relay.queue_input(frame.payload);
      return true;
    case FrameType::end:
      if (frame.header.channel == ChannelId::in) {
        relay.end_input();
      } else {
        relay.refuse_output(frame.header.channel);
      }
      return true;
    case FrameType::credit:
      return received_.order.output_flow(frame.header.channel).grant(payload.u32());
    case FrameType::signal:
      signal_tree(static_cast<int>(payload.u32()));
      return true;
    case FrameType::cancel:
      begin_ending(Cause::cancelled, static_cast<int>(payload.u32()));
      return true;
    case FrameType::resize: {
      const auto rows = payload.u16();
      resize_terminal(terminal_.master, rows, payload.u16());
      return true;
    }
    default:
      return false;
  }
}

void Execution::answer_denial() {
  if (denials_.answer_one(listener_)) return;
  close_fd(listener_);
  listener_ = -1;
}

void Execution::take_report() {
  const auto read = receive_report(report_fd_, report);
  if (read == ReportRead::later) return;
  close_fd(report_fd_);
  report_fd_ = -1;
  if (read == ReportRead::none || main_ended_) return;
  raw_syscall(__NR_kill, main_pid_, SIGKILL);
  reported_ = main_ended_ = nothing_left_ = true;
  ended_ns_ = os::monotonic_ns();
  note_report(report, trailer_);
  if (report.step != Step::none) return;
  started_ns_ = report.started_ns;
  trailer_.spawn_ns = started_ns_ - received_.received_ns;
}

void Execution::reap() {
  for (;;) {
    int status = 0;
    rusage usage{};
    const long pid = raw_syscall(__NR_wait4, -1, as_arg(&status), WNOHANG, as_arg(&usage));
    if (pid == 0) return;
    if (pid < 0) {
      nothing_left_ = true;
      return;
    }
    if (pid != main_pid_ || reported_) continue;
    main_ended_ = true;
    ended_ns_ = os::monotonic_ns();
    trailer_.wait_status = status;
    note_cpu_limit(usage);
  }
}

/// RLIMIT_CPU sends SIGXCPU, and SIGKILL a second later to who has not ended of it.
void Execution::note_cpu_limit(const rusage& usage) {
  if (!limits_cpu_time(confined_.plan, terminal_.master >= 0)) return;
  const auto limit = confined_.plan->watch.cpu_us;
  if (trailer_.cause != Cause::itself || !WIFSIGNALED(trailer_.wait_status)) return;
  const int signal = WTERMSIG(trailer_.wait_status);
  const bool used_up = microseconds(usage.ru_utime) + microseconds(usage.ru_stime) >= limit;
  if (signal == SIGXCPU || (signal == SIGKILL && used_up)) trailer_.cause = Cause::cpu_time;
}

void Execution::check_usage() {
  if (main_ended_) return;
  switch (watch_.look()) {
    case UsageWatch::Finding::within:
      return;
    case UsageWatch::Finding::memory:
      if (!ending_) trailer_.cause = Cause::out_of_memory;
      kill_now_ = true;
      return;
    case UsageWatch::Finding::cpu_time:
      if (!ending_) begin_ending(Cause::cpu_time, SIGXCPU);
      return;
  }
}

void Execution::check_deadline() {
  if (deadline_ns_ == 0 || os::monotonic_ns() < deadline_ns_) return;
  if (ending_) {
    kill_now_ = true;
  } else if (!main_ended_) {
    begin_ending(Cause::timed_out, SIGTERM);
  }
}

void Execution::begin_ending(Cause cause, int signal) {
  if (ending_) {  // asked twice: no more patience
    kill_now_ = true;
    return;
  }
  if (main_ended_) return;
  ending_ = true;
  trailer_.cause = cause;
  trailer_.cancel_signal = static_cast<std::uint32_t>(signal);
  deadline_ns_ = os::monotonic_ns() + received_.request.grace_ns;
  signal_tree(signal);
  signal_tree(SIGCONT);  // the stopped get the signal too
}

/// Without /proc the tree cannot be seen; the command's own process group is better than nothing then.
void Execution::signal_tree(int signal) const {
  const auto count = confined_.tree.signal(signal);
  // Unreaped, its pid is still its own.
  if (count == 0 && !main_ended_) raw_syscall(__NR_kill, -main_pid_, signal);
}

void Execution::end_leftovers() {
  if (ended_ns_ == 0) ended_ns_ = os::monotonic_ns();
  if (!main_ended_) raw_syscall(__NR_kill, -main_pid_, SIGKILL);  // at once, and also without /proc
  if (!nothing_left_) {
    struct Reaped {
      int main_pid;
      protocol::Trailer* trailer;
    } reaped{main_pid_, &trailer_};
    const auto record_main = [](int pid, int status, void* context) {
      const auto& main = *static_cast<Reaped*>(context);
      if (pid == main.main_pid) main.trailer->wait_status = status;
    };
    const auto& group = confined_.groups.unified();
    const bool by_group = !confined_.tree.is_namespace() && group.is_open();
    auto result = confined_.tree.end(by_group ? kLoopBound : kEndBound, signal_fd_, record_main, &reaped);
    trailer_.leftovers_killed = result.killed;
    if (!result.done && by_group) {
      if (group.leave(os::CgroupLeaf::kEntrance)) group.kill();
      result = confined_.tree.end(kEndBound, signal_fd_, record_main, &reaped);
      trailer_.leftovers_killed += result.killed;
    }
    trailer_.leftovers_alive = result.alive;
    if (!main_ended_ && trailer_.leftovers_killed > 0) --trailer_.leftovers_killed;  // the command itself
  }
  trailer_.run_ns = ended_ns_ - started_ns_;
  trailer_.cleanup_ns = os::monotonic_ns() - ended_ns_;
}

void Execution::collect_usage() {
  rusage usage{};
  raw_syscall(__NR_getrusage, RUSAGE_CHILDREN, as_arg(&usage));
  trailer_.user_us += microseconds(usage.ru_utime);
  trailer_.system_us += microseconds(usage.ru_stime);
  for (std::size_t i = 0; i < protocol::kSeccompRules; ++i) {
    trailer_.denials[i] = denials_.of(static_cast<protocol::SeccompRule>(i));
  }
  const auto max_rss = static_cast<std::uint64_t>(usage.ru_maxrss) << 10U;
  if (max_rss > trailer_.max_rss_bytes) trailer_.max_rss_bytes = max_rss;
  trailer_.peak_memory_bytes = confined_.groups.stats().peak_bytes();
  trailer_.oom_kills = confined_.groups.stats().oom_kills();
}

void Execution::drain_output() {
  // A command that ended by itself has written all of this: a slow host gets the time it takes, since it is
  // the host that knows how long whoever reads there may keep it waiting.
  const auto deadline = ending_ ? os::monotonic_ns() + kDrainBound : 0;
  relay.end_input();
  relay.begin_drain();
  while (!host_gone_) {
    relay.move(writer, received_.order);
    if (!writer.flush(stream_.out)) host_gone_ = true;
    if (relay.drained() || (deadline != 0 && os::monotonic_ns() >= deadline)) break;
    wait_for_events(deadline);
  }
  for (int i = 0; i < 2; ++i) trailer_.dropped[i] = relay.undelivered(i);
}

void Execution::send_trailer() {
  const auto deadline = os::monotonic_ns() + kDrainBound;
  while (writer.room() < protocol::kMaxTrailer && !host_gone_ && os::monotonic_ns() < deadline) {
    wait_for_events(deadline);
  }
  const auto size = protocol::encode_trailer(trailer_, writer.payload_space());
  writer.append_in_place(FrameType::trailer, ChannelId::control, size);
  while (!host_gone_ && writer.flush(stream_.out) && !writer.empty() && os::monotonic_ns() < deadline) {
    wait_for_events(deadline);
  }
}

}  // namespace

void run_execution(const Sources& sources, const Confined& confined, FrameReader& reader,
                   ReceivedRequest& received) {
  Execution(sources, confined, reader, received).run();
}

}  // namespace prx::init
