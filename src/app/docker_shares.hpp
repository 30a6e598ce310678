#pragma once

#include <string>
#include <vector>

#include <prx/result.hpp>

#include "backends/docker/container_plan.hpp"
#include "protocol/request_encoder.hpp"
#include "sandbox/policy.hpp"

namespace prx::app {

/// A policy as a container has it.
struct DockerShares {
  std::vector<backends::Share> shares;
  std::vector<backends::Mask> masks;
  /// What prx-init must find at the shares' places: a daemon resolves their names once more, as root, after
  /// they were checked, and a command that runs meanwhile may have made a link of one.
  std::vector<protocol::ExpectedFields> expected;
};

/// The workspace at `mount_path`, everything else at its own path. Toolchains of the host are left out: an
/// image brings its own.
[[nodiscard]] DockerShares share_paths(const sandbox::Policy& policy, const std::string& mount_path,
                                       const sandbox::HostView& host);

/// Who reaches the daemon is root. Error kind invalid_request for a grant that holds its socket.
[[nodiscard]] Result<void> refuse_socket(const sandbox::Policy& policy, const std::string& socket);

/// File systems below a share are not in the container; a sentence for each share that has some.
[[nodiscard]] Result<std::vector<std::string>> warn_of_submounts(const DockerShares& shares);

}  // namespace prx::app
