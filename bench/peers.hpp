#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/contenders.hpp"

namespace prx::bench {

/// A sandbox of somebody else's, as its users would start a program in it: no network, the file system to
/// read, a private /tmp. tools/install-peers.sh fetches what Debian does not have.
struct Peer {
  std::string name;
  std::string program;  ///< a name to look for, or a path
  Argv before;          ///< arguments before the command
};

[[nodiscard]] std::vector<Peer> quick_peers();  ///< that start in some milliseconds
[[nodiscard]] std::vector<Peer> slow_peers();

/// None where it is not installed or does not work here.
[[nodiscard]] std::optional<Argv> command_of(const Peer& peer, const Argv& command);

/// sandlock in this process, through its C library; none where that is not installed.
[[nodiscard]] std::optional<Contender> sandlock_library(const std::string& program);

}  // namespace prx::bench
