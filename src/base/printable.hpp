#pragma once

#include <string>
#include <string_view>

namespace prx::base {

/// `text` as one line that a terminal only shows: control characters (also those above ASCII) as "\n", "\t"
/// or
/// "\x1B", what is not UTF-8 as U+FFFD. For names that come from elsewhere in messages for people.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace prx::base
