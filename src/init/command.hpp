#pragma once

#include <string_view>

#include "init/execution.hpp"
#include "protocol/slot_request.hpp"
#include "protocol/trailer.hpp"

namespace prx::init {

/// The command's standard streams; with a terminal all three are its slave.
struct CommandStdio {
  int fds[3] = {-1, -1, -1};
  bool terminal = false;
};

struct StartResult {
  int pid = 0;  ///< of the running command, when step is none
  protocol::Step step = protocol::Step::none;
  int error = 0;
  std::string_view subject;  ///< points into static memory
  int report_fd = -1;        ///< a stream socket on which one CommandReport comes; -1: none will
};

/// Starts the command of a request: its own session, no signal blocked or ignored, nothing open but the three
/// streams, in the Landlock domain and under the limits of `confined`. Returns when the program is executing,
/// or with the step that failed.
StartResult start_command(const protocol::SlotRequest& request, const CommandStdio& stdio,
                          const Confined& confined);

}  // namespace prx::init
