#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace prx::io {

class JsonValue;

/// A JSON value to be written: built from the leaves up, then turned into text. Strings must be UTF-8.
/// The library behind it stays in json.cpp.
class Json {
 public:
  /// null
  Json();
  ~Json();
  Json(Json&&) noexcept;
  Json& operator=(Json&&) noexcept;
  Json(const Json&) = delete;
  Json& operator=(const Json&) = delete;

  Json(std::string_view text);
  Json(const std::string& text) : Json(std::string_view(text)) {}
  Json(const char* text) : Json(std::string_view(text)) {}
  /// Exactly bool, so that no pointer becomes `true`.
  template <std::same_as<bool> Bool>
  Json(Bool value) : Json(BoolTag{}, value) {}
  template <std::unsigned_integral Number>
    requires(!std::same_as<Number, bool>)
  Json(Number value) : Json(UnsignedTag{}, static_cast<std::uint64_t>(value)) {}
  template <std::signed_integral Number>
  Json(Number value) : Json(SignedTag{}, static_cast<std::int64_t>(value)) {}

  /// A copy of what was read.
  explicit Json(const JsonValue& value);

  [[nodiscard]] static Json object();
  [[nodiscard]] static Json array();

  /// Of an object: appends a member; members keep their order. Returns the object, for chains.
  Json& set(std::string_view key, Json value);
  /// Of an array.
  Json& push(Json value);

  /// On one line, without a line break at the end.
  [[nodiscard]] std::string text() const;

 private:
  struct Value;
  struct BoolTag {};
  struct UnsignedTag {};
  struct SignedTag {};
  Json(BoolTag, bool value);
  Json(UnsignedTag, std::uint64_t value);
  Json(SignedTag, std::int64_t value);

  std::unique_ptr<Value> value_;
};

}  // namespace prx::io
