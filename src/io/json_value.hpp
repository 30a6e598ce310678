#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <prx/result.hpp>

namespace prx::io {

/// A JSON value that was read. Cheap to copy: parts share the whole. What is not there, or is of another
/// kind, is a value like any other (null, empty, the fallback): whoever reads says what it needs. The library
/// behind it stays in json_value.cpp.
class JsonValue {
 public:
  /// null
  JsonValue();
  ~JsonValue();
  JsonValue(const JsonValue&);
  JsonValue(JsonValue&&) noexcept;
  JsonValue& operator=(const JsonValue&);
  JsonValue& operator=(JsonValue&&) noexcept;

  /// Exactly one value, at most 32 deep. Error kind internal, step "json".
  [[nodiscard]] static Result<JsonValue> parse(std::string_view text);

  /// The same; null for what is none.
  [[nodiscard]] static JsonValue parse_or_null(std::string_view text);

  [[nodiscard]] bool is_null() const noexcept;
  [[nodiscard]] bool is_boolean() const noexcept;
  [[nodiscard]] bool is_number() const noexcept;
  [[nodiscard]] bool is_text() const noexcept;
  [[nodiscard]] bool is_array() const noexcept;
  [[nodiscard]] bool is_object() const noexcept;
  /// Of an object: the member; null where there is none.
  [[nodiscard]] JsonValue operator[](std::string_view key) const;
  [[nodiscard]] std::string text(std::string_view fallback = {}) const;
  [[nodiscard]] std::int64_t number(std::int64_t fallback = 0) const noexcept;
  [[nodiscard]] double real(double fallback = 0) const noexcept;
  [[nodiscard]] bool boolean(bool fallback = false) const noexcept;
  /// Of an array.
  [[nodiscard]] std::vector<JsonValue> items() const;
  /// Of an object, in order.
  [[nodiscard]] std::vector<std::pair<std::string, JsonValue>> members() const;
  /// As JSON, on one line.
  [[nodiscard]] std::string json() const;

 private:
  friend class JsonSchema;
  friend class JsonInput;
  friend class Json;
  struct Root;

  JsonValue(std::shared_ptr<const Root> root, const void* value);

  std::shared_ptr<const Root> root_;
  const void* value_ = nullptr;  // in *root_
};

}  // namespace prx::io
