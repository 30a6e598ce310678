#pragma once

#include <memory>
#include <string>

#include <prx/config.hpp>
#include <prx/result.hpp>
#include <prx/runtime.hpp>
#include <prx/supervision.hpp>

namespace prx {

/// What the process that uses the library is.
enum class HostKind {
  /// Runs many commands: starts one spawner, which keeps a slot ready and cleans up after a crash.
  /// Does not touch signal dispositions, process groups or the children of the host.
  library,
  /// Runs one command and exits, as the prx program does: no spawner. Makes the process a subreaper, so that
  /// nothing outlives a killed prx-init, and takes every child of the process for its own: after such a death
  /// all of them are killed and reaped. Not for a process that has other children.
  one_shot,
};

struct RuntimeOptions {
  HostKind host = HostKind::library;
  /// Asked where a rule says "supervised". None: such a request is denied.
  Supervisor supervisor{};
  /// Who asks for what is run, for the audit log: the name of an agent, of a session. May be empty.
  std::string caller{};
};

/// Makes the runtime that `config.runtime.backend` names. Whatever is run goes through it: it holds each
/// request to [security.tool_policy], has it written to the audit log, and sends it to the backend of its
/// tool. Errors:
///   invalid_request  the configuration asks for something impossible
///   unavailable      the backend does not work here or is not in this build
///   unsupported      the configuration asks for a protection that this build cannot enforce
[[nodiscard]] Result<std::unique_ptr<RuntimeAdapter>> create_runtime(const Config& config,
                                                                     RuntimeOptions options = {});
[[nodiscard]] Result<std::unique_ptr<RuntimeAdapter>> create_runtime(const Config& config, HostKind host);

}  // namespace prx
