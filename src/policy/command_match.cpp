#include "policy/command_match.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "policy/wrappers.hpp"

namespace prx::policy {
namespace {

bool is_option(std::string_view word) {
  return word.size() > 1 && word.front() == '-';
}

/// The program of a rule: by its name, or, with a slash, by its path.
bool is_program(std::string_view wanted, std::string_view word) {
  return wanted.find('/') == std::string_view::npos ? program_name(word) == wanted : word == wanted;
}

/// Words of a rule in their order; between them options, each with at most one value.
Match match_words(std::span<const std::string> wanted, std::span<const ShellWord> words, bool after_option) {
  if (wanted.empty()) return Match::yes;
  if (words.empty()) return Match::no;
  if (!words.front()) return Match::maybe;  // it could be all that is wanted
  const std::string_view word = *words.front();
  if (is_option(word)) return match_words(wanted, words.subspan(1), true);
  Match best = word == wanted.front() ? match_words(wanted.subspan(1), words.subspan(1), false) : Match::no;
  if (after_option) best = std::max(best, match_words(wanted, words.subspan(1), false));
  return best;
}

std::string_view long_form(char letter) {
  switch (letter) {
    case 'r':
    case 'R':
      return "--recursive";
    case 'f':
      return "--force";
    default:
      return {};
  }
}

/// Whether one letter of a bundle is given: itself, in a bundle, or as a long option or its abbreviation.
Match has_letter(char letter, const WordList& words) {
  Match best = Match::no;
  for (const auto& word : words) {
    if (!word) {
      best = Match::maybe;
      continue;
    }
    if (word->starts_with("--")) {
      const auto name = std::string_view(*word).substr(0, word->find('='));
      if (name.size() > 2 && long_form(letter).starts_with(name)) return Match::yes;
    } else if (is_option(*word)) {
      const bool is_there = word->find(letter, 1) != std::string::npos;
      const bool other_case = (letter == 'r' && word->find('R', 1) != std::string::npos) ||
                              (letter == 'R' && word->find('r', 1) != std::string::npos);
      if (is_there || other_case) return Match::yes;
    }
  }
  return best;
}

Match has_option(std::string_view option, const WordList& words) {
  Match best = Match::yes;
  if (option.starts_with("--")) {
    best = Match::no;
    for (const auto& word : words) {
      if (!word) {
        best = std::max(best, Match::maybe);
        continue;
      }
      const auto name = std::string_view(*word).substr(0, word->find('='));
      if (name.size() > 2 && name.starts_with("--") && option.starts_with(name)) return Match::yes;
      // --force as -f
      if (name.size() > 1 && name.front() == '-' && name[1] != '-' &&
          name.find(option[2]) != std::string_view::npos) {
        return Match::yes;
      }
    }
    return best;
  }
  for (const char letter : option.substr(1)) best = std::min(best, has_letter(letter, words));
  return best;
}

}  // namespace

Match matches_exactly(const RuleKey& key, const WordList& words) {
  if (words.size() < key.words.size() || (!key.words_are_prefix && words.size() > key.words.size()))
    return Match::no;
  for (std::size_t i = 0; i < key.words.size(); ++i) {
    if (!words[i]) return Match::no;
    const bool fits = i == 0 ? is_program(key.words[i], *words[i]) : *words[i] == key.words[i];
    if (!fits) return Match::no;
  }
  return Match::yes;
}

Match matches_broadly(const RuleKey& key, const WordList& words) {
  if (words.empty()) return Match::no;
  if (!words.front()) return Match::maybe;
  if (!is_program(key.words.front(), *words.front())) return Match::no;
  std::vector<std::string> plain;
  Match match = Match::yes;
  for (std::size_t i = 1; i < key.words.size(); ++i) {
    if (is_option(key.words[i])) {
      match = std::min(match, has_option(key.words[i], words));
    } else {
      plain.push_back(key.words[i]);
    }
  }
  return std::min(match, match_words(plain, std::span(words).subspan(1), false));
}

}  // namespace prx::policy
