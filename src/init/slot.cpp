#include "init/slot.hpp"

#include <linux/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>

#include "init/ancillary.hpp"
#include "init/cell_stock.hpp"
#include "init/command.hpp"
#include "init/execution.hpp"
#include "init/frame_io.hpp"
#include "init/limits.hpp"
#include "init/process.hpp"
#include "init/request_reader.hpp"
#include "init/sys.hpp"
#include "protocol/cursor.hpp"

namespace prx::init {
namespace {

void put_header(std::span<std::byte, protocol::kHeaderSize> to, protocol::FrameType type,
                std::size_t length) {
  protocol::encode_header({type, protocol::ChannelId::control, 0, static_cast<std::uint32_t>(length)}, to);
}

/// The pidfd is the host's means against a slot that does not answer.
bool greet(int stream) {
  std::byte frame[protocol::kHeaderSize + 4];
  put_header(std::span(frame).first<protocol::kHeaderSize>(), protocol::FrameType::hello, 4);
  protocol::Writer(std::span(frame).subspan(protocol::kHeaderSize))
      .u32(static_cast<std::uint32_t>(own_pid()));
  const auto pidfd = static_cast<int>(raw_syscall(__NR_pidfd_open, own_pid(), 0));
  const long sent = send_with_fd(stream, frame, sizeof(frame), pidfd);
  close_fd(pidfd);
  return sent == static_cast<long>(sizeof(frame));
}

constinit FrameReader reader;  // static: too large for a stack

void send_refusal(int stream, std::span<std::byte> frames, std::size_t used, const ConfineResult& why) {
  using protocol::kHeaderSize;
  const auto trailer = frames.subspan(used);
  protocol::Trailer said;
  said.cause = protocol::Cause::setup_failed;
  said.step = why.step;
  said.error = why.error;
  said.subject = why.subject;
  const auto size = protocol::encode_trailer(said, trailer.subspan(kHeaderSize));
  put_header(trailer.first<kHeaderSize>(), protocol::FrameType::trailer, size);
  send_with_fd(stream, frames.data(), used + kHeaderSize + size, -1);
}

constexpr std::size_t kHelloSize = protocol::kHeaderSize + 4;
constexpr std::size_t kTrailerSize = protocol::kHeaderSize + protocol::kMaxTrailer;

}  // namespace

int run_slot(const Sources& sources, const Cell& cell, bool in_unified) {
  const int stream = sources.stream.in;
  // A command may stop its init, and the parent that would wake it may then be killed.
  raw_syscall(__NR_prctl, PR_SET_PDEATHSIG, SIGCONT);
  if (sources.signal_fd < 0) {
    refuse_slot(stream, {protocol::Step::slot, -sources.signal_fd});
    return 1;
  }
  if (set_nonblocking(stream) < 0 || !greet(stream)) return 1;
  Confined confined{.stream = stream, .plan = cell.plan, .groups = cell.groups};
  auto result = cell.groups.enter(in_unified);
  // While it may be opened.
  if (cell.groups.limits_memory()) confined.oom_score = open_own_oom_score();
  if (result.ok()) result = confine(cell, confined);
  if (!result.ok()) {
    std::byte frame[kTrailerSize] = {};
    send_refusal(stream, frame, 0, result);
    return 1;
  }
  ReceivedRequest received;
  received.null_fd = static_cast<int>(open_path("/dev/null", O_RDWR));
  if (receive_request(sources.stream, sources.host_pidfd, reader, received)) {
    run_execution(sources, confined, reader, received);
  }
  // The spawner removes the groups once we have ended; we do it where there is none any more. Out of a pid
  // namespace it cannot be seen, and there would be no right to: then the host does it.
  if (!confined.tree.is_namespace()) confined.groups.remove_where_orphaned();
  return 0;
}

int run_only_slot() {
  // Before anything is opened, which could stand where it is missing.
  const bool has_plan = is_open(kPlanFd);
  const Sources sources{{kStreamFd, kStreamFd}, kHostPidFd, prepare_process()};
  static constinit CellStock cells;
  if (has_plan) cells.open(kPlanFd);
  ConfineResult made;
  const auto cell = cells.take(made, /*more=*/false);
  if (made.ok()) return run_slot(sources, cell, false);
  refuse_slot(kStreamFd, made);
  return 1;
}

void refuse_slot(int stream, const ConfineResult& why) {
  // The protocol's order: a greeting, of nobody, and the end.
  std::byte frames[kHelloSize + kTrailerSize] = {};
  put_header(std::span(frames).first<protocol::kHeaderSize>(), protocol::FrameType::hello, 4);
  send_refusal(stream, frames, kHelloSize, why);
}

}  // namespace prx::init
