#include "init/slot.hpp"

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

/// The pidfd is the host's means against a slot that does not answer.
bool greet(int stream) {
  std::byte frame[protocol::kHeaderSize + 4];
  protocol::encode_header({protocol::FrameType::hello, protocol::ChannelId::control, 0, 4},
                          std::span(frame).first<protocol::kHeaderSize>());
  protocol::Writer(std::span(frame).subspan(protocol::kHeaderSize)).u32(static_cast<std::uint32_t>(own_pid()));
  const auto pidfd = static_cast<int>(raw_syscall(__NR_pidfd_open, own_pid(), 0));
  const long sent = send_with_fd(stream, frame, sizeof(frame), pidfd);
  close_fd(pidfd);
  return sent == static_cast<long>(sizeof(frame));
}

constinit FrameReader reader;  // static: too large for a stack

}  // namespace

int run_slot(const Sources& sources, int cgroup) {
  const int stream = sources.stream.in;
  if (sources.signal_fd < 0 || set_nonblocking(stream) < 0 || !greet(stream)) return 1;
  auto leaf = os::CgroupLeaf::create(cgroup, own_pid());
  ReceivedRequest received;
  received.null_fd = static_cast<int>(open_path("/dev/null", O_RDWR));
  if (receive_request(sources.stream, sources.host_pidfd, reader, received)) {
    run_execution(sources, leaf, reader, received);
  }
  leaf.remove();
  return 0;
}

}  // namespace prx::init
