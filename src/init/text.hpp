#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace prx::init {

/// A short text, put together without a C library. What does not fit is cut, and full() says so.
template <std::size_t Size>
class Text {
 public:
  Text& put(std::string_view part) {
    for (const char c : part) {
      if (size_ + 1 < Size) {
        buffer_[size_++] = c;
      } else {
        full_ = true;
      }
    }
    buffer_[size_] = '\0';
    return *this;
  }
  Text& put(std::uint64_t number) {
    char digits[20];
    std::size_t at = sizeof(digits);
    do {
      digits[--at] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number > 0);
    return put(std::string_view(digits + at, sizeof(digits) - at));
  }

  [[nodiscard]] const char* c_str() const { return buffer_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool full() const { return full_; }

 private:
  char buffer_[Size] = {};
  std::size_t size_ = 0;
  bool full_ = false;
};

}  // namespace prx::init
