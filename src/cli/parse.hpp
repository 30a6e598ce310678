#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <prx/result.hpp>

namespace CLI {
class App;
}

namespace prx::cli {

/// Parses `args` into what `app`'s options are bound to and returns the words behind the options, from
/// the first that is no option, or from `--` on (which is not among them). Nothing behind them is
/// looked at: it belongs to the command that is run. Errors: invalid_request, step "options".
[[nodiscard]] Result<std::vector<std::string>> parse_options(CLI::App& app, std::string_view command,
                                                             std::span<char* const> args);

/// A flag that is asked for with was_given().
void add_plain_flag(CLI::App& app, const std::string& names, const std::string& what,
                    const std::string& group);

/// Whether `flag` was seen, also by a parse that failed later.
[[nodiscard]] bool was_given(CLI::App& app, const std::string& flag);

}  // namespace prx::cli
