#include "init/slot.hpp"

#include <linux/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>
#include <cstring>

#include "init/ancillary.hpp"
#include "init/command.hpp"
#include "init/execution.hpp"
#include "init/frame_io.hpp"
#include "init/process.hpp"
#include "init/request_reader.hpp"
#include "init/sys.hpp"
#include "os/cgroup_leaf.hpp"
#include "protocol/cursor.hpp"

namespace prx::init {
namespace {

void put_header(std::span<std::byte, protocol::kHeaderSize> to, protocol::FrameType type,
                std::size_t length) {
  protocol::encode_header({type, protocol::ChannelId::control, 0, static_cast<std::uint32_t>(length)}, to);
}

constexpr std::size_t kHelloSize = protocol::kHeaderSize + 4;

void put_hello(std::span<std::byte, kHelloSize> frame) {
  put_header(frame.first<protocol::kHeaderSize>(), protocol::FrameType::hello, 4);
  protocol::Writer(frame.subspan(protocol::kHeaderSize)).u32(static_cast<std::uint32_t>(own_pid()));
}

/// The pidfd is the host's means against a slot that does not answer.
bool greet(int stream) {
  std::byte frame[kHelloSize];
  put_hello(frame);
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

constexpr std::size_t kTrailerSize = protocol::kHeaderSize + protocol::kMaxTrailer;

}  // namespace

int run_slot(const Sources& sources, os::CgroupLeaf leaf, const Cell& cell) {
  const int stream = sources.stream.in;
  // A command may stop its init, and the parent that would wake it may then be killed.
  raw_syscall(__NR_prctl, PR_SET_PDEATHSIG, SIGCONT);
  if (sources.signal_fd < 0) {
    refuse_slot(stream, {protocol::Step::slot, -sources.signal_fd});
    return 1;
  }
  if (set_nonblocking(stream) < 0 || !greet(stream)) return 1;
  Confined confined{.leaf = leaf};
  if (const auto result = confine(cell, confined); !result.ok()) {
    std::byte frame[kTrailerSize] = {};
    send_refusal(stream, frame, 0, result);
    return 1;
  }
  ReceivedRequest received;
  received.null_fd = static_cast<int>(open_path("/dev/null", O_RDWR));
  if (receive_request(sources.stream, sources.host_pidfd, reader, received)) {
    run_execution(sources, confined, reader, received);
  }
  // The spawner removes the group once we have ended; we do it where there is none any more. Out of a pid
  // namespace it cannot be seen, and there would be no right to: then the host does it.
  if (confined.tree.is_namespace()) return 0;
  if (leaf.is_open() && raw_syscall(__NR_getppid) != leaf.spawner() && leaf.leave()) leaf.remove();
  return 0;
}

int run_container(int signal_fd) {
  constexpr Stream kStream{0, 1};
  constexpr int kPipeSize = 1 << 20;
  // Where the kernel grants it: fewer turns for a command that prints much.
  raw_syscall(__NR_fcntl, kStream.out, F_SETPIPE_SZ, kPipeSize);
  std::byte hello[kHelloSize];
  put_hello(hello);
  if (signal_fd < 0 || set_nonblocking(kStream.in) < 0 || set_nonblocking(kStream.out) < 0 ||
      write_fd(kStream.out, hello, sizeof(hello)) != static_cast<long>(sizeof(hello))) {
    return 1;
  }
  const Sources sources{kStream, -1, signal_fd};
  Confined confined;
  confined.tree = ProcessTree(true);
  ReceivedRequest received;
  received.null_fd = static_cast<int>(open_path("/dev/null", O_RDWR));
  if (receive_request(sources.stream, sources.host_pidfd, reader, received)) {
    run_execution(sources, confined, reader, received);
  }
  return 0;
}

void refuse_slot(int stream, const ConfineResult& why) {
  // The protocol's order: a greeting, of nobody, and the end.
  std::byte frames[kHelloSize + kTrailerSize] = {};
  put_header(std::span(frames).first<protocol::kHeaderSize>(), protocol::FrameType::hello, 4);
  send_refusal(stream, frames, kHelloSize, why);
}

}  // namespace prx::init
