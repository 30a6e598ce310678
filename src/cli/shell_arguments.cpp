#include "cli/shell_arguments.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/try.hpp"
#include "cli/text_out.hpp"

namespace prx::cli {
namespace {

/// Start files, login shells and prompts: there are none.
constexpr std::string_view kDroppedLetters = "li";
constexpr std::array<std::string_view, 6> kDroppedWords{"--login",     "--interactive", "--norc",
                                                        "--noprofile", "--noediting",   "--no-rcs"};
/// The letters of set in POSIX and bash.
constexpr std::string_view kPassedLetters = "abefhkmnptuvxBCEHPT";
/// Those that take the next word.
constexpr std::string_view kNamedLetters = "oO";

bool contains(std::string_view letters, char letter) {
  return letters.find(letter) != std::string_view::npos;
}

Error unknown_option(std::string_view word) {
  return usage_error(std::string(word), "there is no such option", "see: prx-sh --help");
}

class ShellParser {
 public:
  explicit ShellParser(std::span<const std::string> words) : words_(words) {}

  Result<ShellArguments> parse() {
    while (!words_.empty()) {
      const std::string_view word = words_.front();
      const bool is_option = word.size() > 1 && (word[0] == '-' || word[0] == '+');
      if (!is_option && word != "-") break;
      words_ = words_.subspan(1);
      if (word == "--" || word == "-") break;
      PRX_CHECK(word.starts_with("--") ? take_word(word) : take_letters(word));
    }
    PRX_CHECK(take_operands());
    return std::move(parsed_);
  }

 private:
  Result<void> take_word(std::string_view word) {
    if (word == "--help") {
      parsed_.help = true;
    } else if (word == "--version") {
      parsed_.version = true;
    } else if (word == "--posix") {
      parsed_.options.emplace_back(word);
    } else if (std::find(kDroppedWords.begin(), kDroppedWords.end(), word) == kDroppedWords.end()) {
      return unknown_option(word);
    }
    return {};
  }

  Result<void> take_letters(std::string_view word) {
    if (word == "-h" && words_.empty()) parsed_.help = true;  // alone it is a question, not hashall
    const char sign = word[0];
    for (const char letter : word.substr(1)) {
      if (letter == 'c' && sign == '-') {
        wants_line_ = true;
      } else if (contains(kPassedLetters, letter)) {
        parsed_.options.push_back({sign, letter});
      } else if (contains(kNamedLetters, letter)) {
        PRX_CHECK(take_named({sign, letter}));
      } else if (!contains(kDroppedLetters, letter)) {
        return unknown_option(word);
      }
    }
    return {};
  }

  Result<void> take_named(std::string option) {
    if (words_.empty()) {
      return usage_error(std::move(option), "needs the name of an option", "for example: -o pipefail");
    }
    parsed_.options.push_back(std::move(option));
    parsed_.options.emplace_back(words_.front());
    words_ = words_.subspan(1);
    return {};
  }

  Result<void> take_operands() {
    if (!wants_line_) return {};
    if (words_.empty()) return usage_error("-c", "needs a line", "write prx-sh -c 'LINE'");
    parsed_.line = words_.front();
    parsed_.args.assign(words_.begin() + 1, words_.end());
    return {};
  }

  std::span<const std::string> words_;
  bool wants_line_ = false;
  ShellArguments parsed_;
};

}  // namespace

Result<ShellArguments> parse_shell_arguments(std::span<const std::string> args) {
  return ShellParser(args).parse();
}

}  // namespace prx::cli
