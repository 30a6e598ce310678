#pragma once

#include <cstdint>

#include "policy/rule_key.hpp"
#include "policy/shell_line.hpp"

namespace prx::policy {

enum class Match : std::uint8_t {
  no,
  maybe,  ///< a word that is not known could make it so
  yes,
};

/// Whether a rule that allows is about this command: word by word, so that nothing slips in.
[[nodiscard]] Match matches_exactly(const RuleKey& key, const WordList& words);

/// Whether a rule that denies is about it: also where options stand between the words, are bundled or in
/// another order. `git -C x push -f` is `git push`, `rm -fr x` is `rm -rf`.
[[nodiscard]] Match matches_broadly(const RuleKey& key, const WordList& words);

}  // namespace prx::policy
