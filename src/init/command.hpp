#pragma once

#include <cstdint>
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

/// What a command says of its own end, where it is run by this program itself (an engine's guest). Its process
/// ends at once with SIGKILL; taking it down may last longer than all of its run, and is not waited for.
struct CommandReport {
  protocol::Step step = protocol::Step::none;  ///< set: it never ran, for `error` and `text`
  int error = 0;
  int exit_code = 0;
  protocol::Trap trap = protocol::Trap::none;
  bool out_of_memory = false;
  std::uint64_t started_ns = 0;  ///< monotonic
  std::uint64_t user_us = 0;
  std::uint64_t system_us = 0;
  std::uint64_t max_rss_bytes = 0;
  std::uint32_t text_size = 0;
  char text[1024] = {};
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
