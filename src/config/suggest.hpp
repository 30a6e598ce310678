#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace prx::config {

/// The candidate that `word` is most likely a slip of: the same but for case, '-' and '_', or a few typing
/// errors away (one in three characters).
[[nodiscard]] std::optional<std::string_view> nearest(std::string_view word,
                                                      std::span<const std::string_view> candidates);

/// `"a", "b" or "c"`
[[nodiscard]] std::string list_of_words(std::span<const std::string_view> words);

}  // namespace prx::config
