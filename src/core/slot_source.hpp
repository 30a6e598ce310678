#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <prx/output.hpp>
#include <prx/request.hpp>
#include <prx/result.hpp>

#include "base/fd.hpp"
#include "core/stream_decoder.hpp"

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
  std::unique_ptr<StreamDecoder> decoder{};  ///< where the stream is carried by something
  std::vector<EnvVar> env{};                 ///< what a command has there before anything of the host's
  std::vector<std::string> warnings{};       ///< for the output
  std::string shell{};                       ///< of shell lines; empty: the runtime's
  bool sealed = false;                       ///< the trailer must prove that it is prx-init's
};

/// What an execution wants of its slot, beside what every slot of the runtime has.
struct SlotWish {
  std::string tool{};
  int cancelled_fd = -1;  ///< readable once the slot is no longer wanted; -1: it always is
};

/// Why a slot's stream ended before its trailer.
struct SlotDeath {
  std::optional<Ending> ending{};  ///< of the command, where it is known
  std::string detail{};            ///< otherwise, for a person
};

/// Makes slots and ends those that do not answer. This, and the settings of core/settings.hpp, is all that a
/// backend is. Thread-safe.
class SlotSource {
 public:
  virtual ~SlotSource() = default;

  /// Whether take() may wait for more than this machine: then it is not called where others would wait along.
  [[nodiscard]] virtual bool waits() const noexcept { return false; }
  /// A parked slot where there is one, otherwise a new one; never waits for one to become free.
  virtual Result<Slot> take(const SlotWish& wish) = 0;
  /// A new slot, for the second try when a parked one turned out to be dead. Not of a source that waits().
  virtual Result<Slot> take_cold() = 0;
  /// The execution in a slot has ended: what is left of the slot is removed, and what is missing is parked.
  /// While an execution is starting, making slots would take the processor that its command needs. This,
  /// kill() and clean_up_after() never wait.
  virtual void release(std::uint32_t slot) = 0;
  /// What somebody else knows of a slot whose stream has ended too early. May wait where take() may.
  virtual SlotDeath find_out(std::uint32_t /*slot*/) { return {}; }
  /// SIGKILL for the prx-init of a slot that does not answer.
  virtual void kill(std::uint32_t slot) = 0;
  /// The prx-init of a slot ended without its trailer: end what it may have left behind.
  virtual void clean_up_after(std::uint32_t slot) = 0;
};

}  // namespace prx::core
