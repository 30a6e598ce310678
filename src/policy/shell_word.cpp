#include "policy/shell_word.hpp"

#include <utility>

namespace prx::policy {
namespace {

constexpr std::string_view kExpanded = "$`*?[{~";
// Before these a backslash counts within double quotes.
constexpr std::string_view kEscapedInQuotes = "$`\"\\";

class WordReader {
 public:
  explicit WordReader(std::string_view text) : text_(text) {}

  ShellWord read() {
    while (at_ < text_.size()) {
      if (!step()) return std::nullopt;
    }
    return std::move(word_);
  }

 private:
  bool step() {
    const char c = text_[at_++];
    if (c == '\'') return single_quoted();
    if (c == '"') return double_quoted();
    if (c == '\\') return escaped();
    if (kExpanded.find(c) != std::string_view::npos) return false;
    // `<(…)`, and `=(…)`: what a word cannot have in it unquoted.
    if (c == '(' || c == ')' || c == '<' || c == '>' || c == '&' || c == '|' || c == ';') return false;
    word_ += c;
    return true;
  }

  bool single_quoted() {
    const auto end = text_.find('\'', at_);
    if (end == std::string_view::npos) return false;
    word_ += text_.substr(at_, end - at_);
    at_ = end + 1;
    return true;
  }

  bool double_quoted() {
    while (at_ < text_.size()) {
      const char c = text_[at_++];
      if (c == '"') return true;
      if (c == '$' || c == '`') return false;
      if (c == '\\' && at_ < text_.size() && kEscapedInQuotes.find(text_[at_]) != std::string_view::npos) {
        word_ += text_[at_++];
      } else if (c == '\\' && at_ < text_.size() && text_[at_] == '\n') {
        ++at_;
      } else {
        word_ += c;
      }
    }
    return false;
  }

  bool escaped() {
    if (at_ == text_.size()) return false;
    const char c = text_[at_++];
    if (c != '\n') word_ += c;
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string word_;
};

}  // namespace

ShellWord read_shell_word(std::string_view text) {
  return WordReader(text).read();
}

}  // namespace prx::policy
