#include "policy/wrappers.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace prx::policy {
namespace {

/// The options of a program that starts the one named behind them.
struct Wrapper {
  std::string_view name;
  std::string_view flags;            ///< letters without a value
  std::string_view values;           ///< letters with one
  std::string_view long_flags = {};  ///< " --name " …
  std::string_view long_values = {};
  std::size_t operands = 0;  ///< words before the program
  bool assigns = false;      ///< NAME=VALUE before the program
  bool appends = false;      ///< arguments that nobody sees here
};

constexpr std::array kWrappers{
    Wrapper{"env", "iv0", "uC", " --ignore-environment --null --debug ", " --unset --chdir ", 0, true},
    Wrapper{"nohup", "", ""},
    Wrapper{"setsid", "cfw", "", " --ctty --fork --wait "},
    Wrapper{"nice", "0123456789", "n", "", " --adjustment "},
    Wrapper{"timeout", "fpv", "ks", " --foreground --preserve-status --verbose ", " --kill-after --signal ",
            1},
    Wrapper{"time", "pvaq", "fo", " --portability --verbose --append --quiet ", " --format --output "},
    Wrapper{"stdbuf", "", "ioe", "", " --input --output --error "},
    Wrapper{"ionice", "t", "cn", " --ignore ", " --class --classdata "},
    Wrapper{"command", "p", ""},
    Wrapper{"builtin", "", ""},
    Wrapper{"exec", "cl", "a"},
    Wrapper{"sudo", "AbEHkKnPS", "CDghpRrTtuU", " --non-interactive --preserve-env --set-home --stdin ",
            " --user --group --chdir --host --prompt ", 0, true},
    Wrapper{"doas", "ns", "uC"},
    Wrapper{"xargs", "0rtpxo", "adEILnPs", " --null --no-run-if-empty --verbose --interactive --exit ",
            " --arg-file --delimiter --max-args --max-lines --max-procs --max-chars --replace ", 0, false,
            true},
    Wrapper{"busybox", "", ""},
    Wrapper{"toybox", "", ""},
};

constexpr std::array<std::string_view, 5> kShells{"sh", "bash", "dash", "ash", "ksh"};

bool has_word(std::string_view list, std::string_view word) {
  return list.find(" " + std::string(word) + " ") != std::string_view::npos;
}

bool is_assignment(std::string_view word) {
  const auto equals = word.find('=');
  return equals != std::string_view::npos && equals > 0 && word.front() != '-';
}

/// Walks the words between the wrapper and what it starts.
class WrapperReader {
 public:
  WrapperReader(const Wrapper& wrapper, const WordList& words) : wrapper_(wrapper), words_(words) {}

  Unwrapped read() {
    if (!skip_options() || !skip_operands()) return {{}, {}, problem_};
    Unwrapped result;
    result.inner.assign(words_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, words_.size())),
                        words_.end());
    if (wrapper_.appends && !result.inner.empty()) result.inner.emplace_back(std::nullopt);
    return result;
  }

 private:
  bool fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }

  bool skip_options() {
    for (; at_ < words_.size(); ++at_) {
      if (!words_[at_]) return fail("what " + std::string(wrapper_.name) + " starts is not known");
      const std::string& word = *words_[at_];
      if (word == "--") {
        ++at_;
        return true;
      }
      if (wrapper_.assigns && is_assignment(word)) {
        if (is_launching_variable(word.substr(0, word.find('='))))
          return fail("it sets " + word.substr(0, word.find('=')));
        continue;
      }
      if (!word.starts_with('-') || word == "-") return true;
      if (!skip_option(word)) return false;
    }
    return true;
  }

  bool skip_option(std::string_view word) {
    if (word.starts_with("--")) {
      const auto name = word.substr(0, word.find('='));
      if (has_word(wrapper_.long_flags, name) || (name != word && has_word(wrapper_.long_values, name)))
        return true;
      if (!has_word(wrapper_.long_values, name))
        return fail("an option of " + std::string(wrapper_.name) + " is not known: " + std::string(name));
      ++at_;
      return true;
    }
    for (std::size_t i = 1; i < word.size(); ++i) {
      if (wrapper_.flags.find(word[i]) != std::string_view::npos) continue;
      if (wrapper_.values.find(word[i]) == std::string_view::npos) {
        return fail("an option of " + std::string(wrapper_.name) + " is not known: " + std::string(word));
      }
      if (i + 1 == word.size()) ++at_;
      return true;
    }
    return true;
  }

  bool skip_operands() {
    at_ += wrapper_.operands;
    return true;
  }

  const Wrapper& wrapper_;
  const WordList& words_;
  std::size_t at_ = 1;
  std::string problem_;
};

/// `sh -c LINE`. Anything else that a shell does is running a script.
Unwrapped unwrap_shell(const WordList& words) {
  bool takes_line = false;
  std::size_t at = 1;
  for (; at < words.size() && words[at] && words[at]->starts_with('-'); ++at) {
    const std::string& word = *words[at];
    if (word == "--") {
      ++at;
      break;
    }
    if (word == "--norc" || word == "--noprofile" || word == "--posix") continue;
    if (word.find_first_not_of("euxvfnc", 1) != std::string::npos)
      return {{}, {}, "a shell is started with " + word};
    takes_line = takes_line || word.find('c') != std::string::npos;
  }
  if (!takes_line) return {{}, {}, "a shell runs a script"};
  if (at == words.size() || !words[at]) return {{}, {}, "the line of a shell is not known"};
  return {{}, *words[at], {}};
}

Unwrapped unwrap_eval(const WordList& words) {
  std::string line;
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i]) return {{}, {}, "what eval runs is not known"};
    line += (line.empty() ? "" : " ") + *words[i];
  }
  return {{}, std::move(line), {}};
}

}  // namespace

std::string_view program_name(std::string_view word) {
  const auto slash = word.rfind('/');
  return slash == std::string_view::npos ? word : word.substr(slash + 1);
}

std::optional<Unwrapped> unwrap(const WordList& words) {
  if (words.empty() || !words.front()) return std::nullopt;
  const auto name = program_name(*words.front());
  if (name == "eval") return unwrap_eval(words);
  if (std::find(kShells.begin(), kShells.end(), name) != kShells.end()) return unwrap_shell(words);
  // `command -v` only asks.
  if (name == "command" && words.size() > 1 && words[1] && (*words[1] == "-v" || *words[1] == "-V"))
    return Unwrapped{};
  const auto is_it = [&](const Wrapper& wrapper) { return wrapper.name == name; };
  const auto* found = std::find_if(kWrappers.begin(), kWrappers.end(), is_it);
  if (found == kWrappers.end()) return std::nullopt;
  return WrapperReader(*found, words).read();
}

}  // namespace prx::policy
