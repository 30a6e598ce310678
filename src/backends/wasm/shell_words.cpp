#include "backends/wasm/shell_words.hpp"

#include <optional>

namespace prx::backends {
namespace {

constexpr std::string_view kOutsideQuotes = "|&;<>()$`*?[]{}~#!\n\r";
constexpr std::string_view kInDoubleQuotes = "$`";
/// What a backslash takes its meaning from between double quotes.
constexpr std::string_view kEscapable = "$`\"\\\n";

Error needs_shell(std::string_view line, char what) {
  return {ErrorKind::unsupported,
          "shell",
          std::string(line),
          0,
          std::string("'") + (what == '\n' || what == '\r' ? ' ' : what) +
              "' needs a shell, and modules have none",
          "give the program and its arguments without one (prx run -- NAME ARG…), or make it a tool: "
          "[tools.custom.<name>] type = \"wasm\""};
}

class Splitter {
 public:
  explicit Splitter(std::string_view line) : line_(line) {}

  Result<std::vector<std::string>> split() {
    for (at_ = 0; at_ < line_.size(); ++at_) {
      if (auto problem = take(line_[at_])) return *std::move(problem);
    }
    if (quote_ != 0 || escaped_) {
      return Error{ErrorKind::invalid_request, "shell", std::string(line_), 0, "a quote has no end", {}};
    }
    end_word();
    if (words_.empty()) return Error{ErrorKind::invalid_request, "shell", {}, 0, "the line is empty", {}};
    const auto& first = words_.front();
    if (first.find('=') != std::string::npos) return needs_shell(line_, '=');
    return std::move(words_);
  }

 private:
  std::optional<Error> take(char c) {
    if (escaped_) {
      if (quote_ == '"' && kEscapable.find(c) == std::string_view::npos) word_ += '\\';
      if (c != '\n') word_ += c;
      escaped_ = false;
      return {};
    }
    if (quote_ == '\'') {
      quote_ = c == '\'' ? '\0' : (word_ += c, quote_);
      return {};
    }
    if (c == '\\') {
      escaped_ = in_word_ = true;
      return {};
    }
    if (quote_ == '"') {
      if (kInDoubleQuotes.find(c) != std::string_view::npos) return needs_shell(line_, c);
      quote_ = c == '"' ? '\0' : (word_ += c, quote_);
      return {};
    }
    return take_unquoted(c);
  }

  std::optional<Error> take_unquoted(char c) {
    if (c == ' ' || c == '\t') {
      end_word();
      return {};
    }
    if (kOutsideQuotes.find(c) != std::string_view::npos) return needs_shell(line_, c);
    in_word_ = true;
    if (c == '\'' || c == '"') {
      quote_ = c;
    } else {
      word_ += c;
    }
    return {};
  }

  void end_word() {
    if (in_word_) words_.push_back(std::move(word_));
    word_.clear();
    in_word_ = false;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::vector<std::string> words_;
  std::string word_;
  bool in_word_ = false;
  bool escaped_ = false;
  char quote_ = '\0';
};

}  // namespace

Result<std::vector<std::string>> split_plain_words(std::string_view line) {
  return Splitter(line).split();
}

}  // namespace prx::backends
