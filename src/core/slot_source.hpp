#pragma once

#include <cstdint>
#include <memory>

#include <prx/output.hpp>
#include <prx/result.hpp>

#include "base/fd.hpp"
#include "core/planned_slot.hpp"

namespace prx::core {

/// How a command's standard streams get to the host and back.
enum class SlotStreams : unsigned char {
  descriptors,  ///< the slot is on this machine: the command gets them as they are
  frames,       ///< all there is between the two is one stream of bytes
};

/// A place where one command can run. Serves one execution; closing the stream ends everything in it.
struct Slot {
  std::uint32_t id = 0;
  SlotKind kind = SlotKind::cold;
  base::Fd stream;
  SlotStreams streams = SlotStreams::descriptors;
  std::shared_ptr<const PlannedSlot> planned;  ///< none: it was made without limits or a sandbox
};

/// Makes slots and ends those that do not answer. This, and the settings of core/settings.hpp, is all that a
/// backend is. Thread-safe.
class SlotSource {
 public:
  virtual ~SlotSource() = default;

  /// A parked slot where there is one, otherwise a new one; never waits for one to become free.
  virtual Result<Slot> take() = 0;
  /// A new slot, for the second try when a parked one turned out to be dead.
  virtual Result<Slot> take_cold() = 0;
  /// Parks what is missing. Called when an execution has ended: while one is starting, the fork would take
  /// the processor that its command needs.
  virtual void refill() = 0;
  /// SIGKILL for the prx-init of a slot that does not answer.
  virtual void kill(std::uint32_t slot) = 0;
  /// The prx-init of a slot ended without its trailer: end what it may have left behind.
  virtual void clean_up_after(std::uint32_t slot) = 0;
};

}  // namespace prx::core
