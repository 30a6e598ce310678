#pragma once

#include <memory>
#include <string>
#include <vector>

#include <prx/config.hpp>
#include <prx/runtimes.hpp>

#include "bench/measure.hpp"

namespace prx::bench {

using Argv = std::vector<std::string>;

/// No sandbox, no limits: nothing but the start.
std::shared_ptr<RuntimeAdapter> make_library_runtime(std::uint32_t pool);
/// With the default limits of [security.resources]. A one-shot host starts every command cold; a library's
/// has a slot ready for it.
std::shared_ptr<RuntimeAdapter> make_sandboxed_runtime(SandboxChoice kind, HostKind host,
                                                       const std::string& workspace);

/// Checks that the command ran and succeeded.
void check(const Result<ExecutionOutput>& output);

ExecutionRequest request_for(const Argv& argv);

Contender bare(std::string name, Argv argv);
Contender library_execute(std::string name, std::shared_ptr<RuntimeAdapter> runtime,
                          ExecutionRequest request);
Contender library_start(std::string name, std::shared_ptr<RuntimeAdapter> runtime, ExecutionRequest request);
/// subprocess.run of a Python interpreter that is running already.
Contender python_subprocess(std::string name, Argv argv);
/// `count` of them started, then waited for.
Contender bare_at_once(std::string name, Argv argv, std::size_t count);
Contender library_at_once(std::string name, std::shared_ptr<RuntimeAdapter> runtime, ExecutionRequest request,
                          std::size_t count);
Contender whole_process(std::string name, Argv argv);

}  // namespace prx::bench
