#include "config/toml_guard.hpp"

namespace prx::config {

namespace {

/// Walks over a TOML text and counts the dots of each key. Strings and comments are stepped over; the
/// text need not be valid, since the parser sees it afterwards.
class KeyCounter {
 public:
  explicit KeyCounter(std::string_view text) : text_(text) {}

  std::optional<Position> find() noexcept {
    while (at_ < text_.size()) {
      step();
      if (dots_ >= kMaxKeyParts) return position();
    }
    return std::nullopt;
  }

 private:
  void step() noexcept {
    switch (text_[at_]) {
      case '#':
        skip_comment();
        return;
      case '"':
      case '\'':
        skip_string(text_[at_]);
        return;
      case '.':
        ++dots_;
        break;
      case '\n':
        start_line();
        dots_ = 0;
        break;
      case '=':
      case ',':
      case '[':
      case ']':
      case '{':
      case '}':
        dots_ = 0;
        break;
      default:
        break;
    }
    ++at_;
  }

  void skip_comment() noexcept {
    while (at_ < text_.size() && text_[at_] != '\n') ++at_;
  }

  void skip_string(char quote) noexcept {
    const bool multi_line = text_.substr(at_, 3) == (quote == '"' ? R"(""")" : "'''");
    const std::size_t length = multi_line ? 3 : 1;
    at_ += length;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        if (!multi_line) return;  // not closed: the parser says so
        start_line();
      }
      if (c == '\\' && quote == '"' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n') {
        at_ += 2;
        continue;
      }
      if (text_.substr(at_, length) == std::string_view(R"("""''')").substr(quote == '"' ? 0 : 3, length)) {
        at_ += length;
        return;
      }
      ++at_;
    }
  }

  void start_line() noexcept {
    ++line_;
    line_start_ = at_ + 1;
  }

  [[nodiscard]] Position position() const noexcept {
    return {line_, static_cast<std::uint32_t>(at_ - line_start_)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t dots_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 1;
};

}  // namespace

std::optional<Position> find_overlong_key(std::string_view toml) noexcept {
  return KeyCounter(toml).find();
}

}  // namespace prx::config
