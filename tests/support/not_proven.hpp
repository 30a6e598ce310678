#pragma once

#include <string_view>

namespace prx::test {

/// Records that something could not be tested on this machine, and why. The run prints the list at its
/// end; in CI an id that is not in tests/expected-not-proven.txt fails it. Call it where the means is
/// missing, then return from the test:
///
///     if (geteuid() != 0) return not_proven("escape.mount_as_root", "not root");
///
/// `id` is a stable dotted name of what stays unproven, without blanks; `reason` is one line.
void not_proven(std::string_view id, std::string_view reason);

}  // namespace prx::test
