// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <cstdint>

namespace prx::protocol {

/// One datagram from the host to its spawner (SOCK_SEQPACKET, same machine, same build: a plain struct).
struct SpawnerMessage {
  enum class Kind : std::uint32_t {
    fork_slot = 1,  ///< attaches the slot's end of its stream
    kill_slot = 2,  ///< SIGKILL for a slot that does not answer
  };
  Kind kind = Kind::fork_slot;
  std::uint32_t slot = 0;  ///< chosen by the host, unique within the spawner
  /// fork_slot: whether others will follow, so that what the next one needs is made while nobody waits for
  /// it.
  std::uint32_t more = 0;
};

}  // namespace prx::protocol
