#pragma once

#include <prx/error.hpp>
#include <prx/output.hpp>

#include "io/json.hpp"

namespace prx::cli {

/// The object of `prx run --json` and `--report` (docs/cli.md lists its members).
[[nodiscard]] io::Json output_json(const ExecutionOutput& output);

/// The members of an error.
[[nodiscard]] io::Json failure_json(const Error& error);
/// {"error": {"kind": …}}
[[nodiscard]] io::Json error_json(const Error& error);

}  // namespace prx::cli
