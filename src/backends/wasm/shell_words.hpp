#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <prx/result.hpp>

namespace prx::backends {

/// The words of a shell line that needs no shell: blanks, quotes and backslashes mean what they mean to one,
/// and anything that would have to be expanded, redirected or run beside is refused. Pure. Error kinds:
/// unsupported, with the character that needs a shell; invalid_request for a quote without its end and for no
/// word at all.
[[nodiscard]] Result<std::vector<std::string>> split_plain_words(std::string_view line);

}  // namespace prx::backends
