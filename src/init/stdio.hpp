#pragma once

#include "init/command.hpp"
#include "init/frame_io.hpp"
#include "init/relay.hpp"
#include "init/request_reader.hpp"
#include "init/terminal.hpp"

namespace prx::init {

struct StdioResult {
  protocol::Step step = protocol::Step::none;
  int error = 0;
};

/// Opens the command's three streams as the request says: what came with it, /dev/null, pipes into `relay`,
/// or a pty whose master goes to the host (or into `relay`).
StdioResult open_stdio(const ReceivedRequest& received, const Stream& stream, Relay& relay,
                       CommandStdio& stdio, Terminal& terminal);

/// Closes the command's ends in this process.
void close_stdio(CommandStdio& stdio);

}  // namespace prx::init
