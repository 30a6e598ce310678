#pragma once

#include <string>
#include <string_view>

namespace prx::test {

/// The prx program of this build.
[[nodiscard]] std::string prx_path();
/// The prx-init program of this build.
[[nodiscard]] std::string prx_init_path();
/// A program of tests/support/probes, e.g. probe_path("noop").
[[nodiscard]] std::string probe_path(std::string_view name);
/// A file of the source tree, e.g. source_path("docs/cli.md").
[[nodiscard]] std::string source_path(std::string_view relative);

}  // namespace prx::test
