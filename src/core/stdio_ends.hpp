#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include <prx/request.hpp>
#include <prx/result.hpp>

#include "base/fd.hpp"
#include "core/slot_source.hpp"

namespace prx::core {

/// The streams of a request, with borrowed descriptors duplicated: what is needed to open them, twice if a
/// parked slot turns out to be dead.
struct StdioSource {
  bool terminal = false;
  bool no_input = false;
  bool streamed_input = false;
  std::string input_bytes;
  base::Fd input_fd;   ///< open: passed as it is
  base::Fd output_fd;  ///< open: passed as it is
  base::Fd error_fd;   ///< open: passed as it is

  /// Gives the duplicates back.
  void close() noexcept {
    input_fd.reset();
    output_fd.reset();
    error_fd.reset();
  }
};

/// Error kind invalid_request for a descriptor that is not open.
[[nodiscard]] Result<StdioSource> make_stdio_source(ExecutionRequest& request);

/// The host's ends; not open where the command has none of the host's.
struct HostEnds {
  base::Fd input;
  base::Fd output;
  base::Fd error;
};

struct OpenedStdio {
  HostEnds host;
  std::vector<base::Fd> opened;  ///< the slot's ends that were opened here
  std::vector<int> passed;       ///< what goes with the request, in order
};

/// Pipes for what is captured or written by the host. None for a terminal, which prx-init makes, or for
/// frames.
[[nodiscard]] Result<OpenedStdio> open_stdio(const StdioSource& source, SlotStreams streams);

}  // namespace prx::core
