#pragma once

#include <cerrno>

#include "init/frame_io.hpp"
#include "protocol/frame_order.hpp"
#include "protocol/slot_request.hpp"

namespace prx::init {

struct ReceivedRequest {
  protocol::SlotRequest request;
  protocol::HostFrameOrder order;  ///< the request is behind it
  int fds[3] = {-1, -1, -1};       ///< what came with it, in the order of the streams that say `passed`
  int null_fd = -1;                ///< /dev/null, opened while there was time; or -errno
  bool well_formed = false;
  int error = EBADMSG;  ///< why it is not
  std::uint64_t received_ns = 0;
};

/// Waits for the whole request. False when the host went away or sent something else; `well_formed` is false
/// for a request that cannot be decoded or that there is no memory for.
bool receive_request(const Stream& stream, int host_pidfd, FrameReader& reader, ReceivedRequest& received);

}  // namespace prx::init
