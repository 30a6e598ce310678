#include "io/json_schema.hpp"

#include "io/json_root.hpp"
#include "io/schema_translation.hpp"

#include <boost/json.hpp>

#define VALIJSON_USE_EXCEPTIONS 1
#include <valijson/adapters/boost_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <exception>
#include <utility>

#include "base/try.hpp"

namespace prx::io {
namespace {

namespace json = boost::json;
using Adapter = valijson::adapters::BoostJsonAdapter;

constexpr std::size_t kMaxProblems = 5;

void fill_defaults(const json::value& schema, json::value& value) {
  const auto* object = schema.if_object();
  const auto* properties = object == nullptr ? nullptr : object->if_contains("properties");
  if (properties == nullptr || !properties->is_object() || !value.is_object()) return;
  for (const auto& property : properties->get_object()) {
    const auto* details = property.value().if_object();
    const auto* fallback = details == nullptr ? nullptr : details->if_contains("default");
    json::value* present = value.get_object().if_contains(property.key());
    if (present == nullptr && fallback != nullptr)
      present = &(value.get_object()[property.key()] = *fallback);
    if (present != nullptr) fill_defaults(property.value(), *present);
  }
}

/// "<root>", "[name]", "[0]" → "/name/0"
std::string place_of(const std::vector<std::string>& context) {
  std::string place;
  for (const auto& part : context) {
    if (part.size() > 2 && part.front() == '[') place += "/" + part.substr(1, part.size() - 2);
  }
  return place;
}

}  // namespace

struct JsonSchema::Compiled {
  json::value source;
  valijson::Schema schema;
};

JsonSchema::JsonSchema(std::unique_ptr<Compiled> compiled) : compiled_(std::move(compiled)) {}
JsonSchema::~JsonSchema() = default;
JsonSchema::JsonSchema(JsonSchema&&) noexcept = default;
JsonSchema& JsonSchema::operator=(JsonSchema&&) noexcept = default;

Result<JsonSchema> JsonSchema::compile(const JsonValue& schema) {
  auto compiled = std::make_unique<Compiled>();
  if (schema.value_ != nullptr) compiled->source = *static_cast<const json::value*>(schema.value_);
  PRX_TRY(const json::value translated, translate_schema(compiled->source));
  try {
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(Adapter(translated), compiled->schema);
  } catch (const std::exception& error) {  // the library's way to say that it is no schema
    return Error{ErrorKind::invalid_request, "schema", "the schema", 0, error.what(), {}};
  }
  return JsonSchema(std::move(compiled));
}

JsonValue JsonSchema::with_defaults(const JsonValue& value) const {
  if (value.value_ == nullptr) return value;
  json::value filled = *static_cast<const json::value*>(value.value_);
  fill_defaults(compiled_->source, filled);
  auto root = std::make_shared<const JsonValue::Root>(JsonValue::Root{std::move(filled)});
  const void* top = &root->value;
  return JsonValue(std::move(root), top);
}

std::vector<SchemaProblem> JsonSchema::problems_of(const JsonValue& value) const {
  static const json::value kNull;
  const json::value& checked =
      value.value_ == nullptr ? kNull : *static_cast<const json::value*>(value.value_);
  valijson::ValidationResults results;
  std::vector<SchemaProblem> problems;
  try {
    valijson::Validator validator(valijson::Validator::kStrongTypes);
    if (validator.validate(compiled_->schema, Adapter(checked), &results)) return problems;
  } catch (const std::exception& error) {
    return {{"", error.what()}};
  }
  for (const auto& error : results) {
    if (problems.size() < kMaxProblems) problems.push_back({place_of(error.context), error.description});
  }
  if (problems.empty()) problems.push_back({"", "does not fit the schema"});
  return problems;
}

}  // namespace prx::io
