#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <prx/result.hpp>

#include "io/json_value.hpp"

namespace prx::io {

/// Where a value does not fit its schema: "/name", empty for the whole; and how.
struct SchemaProblem {
  std::string place;
  std::string text;
};

/// A JSON Schema, ready to be held against values. Immutable: any thread may use one. The library behind it
/// stays in json_schema.cpp.
class JsonSchema {
 public:
  /// Errors: those of translate_schema(), and what is no schema (kind invalid_request, step "schema").
  [[nodiscard]] static Result<JsonSchema> compile(const JsonValue& schema);

  ~JsonSchema();
  JsonSchema(JsonSchema&&) noexcept;
  JsonSchema& operator=(JsonSchema&&) noexcept;
  JsonSchema(const JsonSchema&) = delete;
  JsonSchema& operator=(const JsonSchema&) = delete;

  /// The value with the `default` of each property that is missing, also of objects within objects.
  [[nodiscard]] JsonValue with_defaults(const JsonValue& value) const;

  /// Empty: it fits. The first few otherwise.
  [[nodiscard]] std::vector<SchemaProblem> problems_of(const JsonValue& value) const;

 private:
  struct Compiled;
  explicit JsonSchema(std::unique_ptr<Compiled> compiled);

  std::unique_ptr<Compiled> compiled_;
};

}  // namespace prx::io
