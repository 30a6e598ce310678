#include "io/schema_translation.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <array>
#include <regex>
#include <string>
#include <string_view>
#include <utility>

#include "base/try.hpp"

namespace prx::io {
namespace {

namespace json = boost::json;

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Say something about a schema and constrain nothing.
constexpr std::array<std::string_view, 9> kNotes{"$schema",   "$comment",   "title",
                                                 "default",   "examples",   "readOnly",
                                                 "writeOnly", "deprecated", "description"};
constexpr std::array<std::string_view, 15> kAsTheyAre{
    "enum",          "const",         "minimum",   "maximum",  "exclusiveMinimum", "exclusiveMaximum",
    "multipleOf",    "minLength",     "maxLength", "minItems", "maxItems",         "uniqueItems",
    "minProperties", "maxProperties", "required"};
constexpr std::array<std::string_view, 8> kOfOneSchema{
    "not", "if", "then", "else", "contains", "propertyNames", "additionalProperties", "items"};
constexpr std::array<std::string_view, 3> kOfSchemaLists{"allOf", "anyOf", "oneOf"};
constexpr std::array<std::string_view, 4> kOfSchemaTables{"properties", "$defs", "definitions",
                                                          "dependentSchemas"};
constexpr std::array<std::string_view, 7> kTypes{"null",   "boolean", "integer", "number",
                                                 "string", "array",   "object"};
constexpr std::array<std::string_view, 3> kFormats{"date", "time", "date-time"};

Error refusal(std::string_view place, std::string detail) {
  return {ErrorKind::invalid_request,
          "schema",
          place.empty() ? "the schema" : std::string(place),
          0,
          std::move(detail),
          "see docs/tools.md for the keywords that are taken"};
}

std::string below(std::string_view place, std::string_view name) {
  return std::string(place) + "/" + std::string(name);
}

/// `schema` where a text is short enough to be matched, and refused where it is not.
json::value for_short_texts(json::object schema) {
  const json::object long_text{{"type", "string"}, {"minLength", static_cast<std::int64_t>(kMaxMatched) + 1}};
  return json::object{{"if", long_text}, {"then", false}, {"else", std::move(schema)}};
}

class Translation {
 public:
  Result<json::value> schema(const json::value& source, std::string_view place) {
    if (source.is_bool()) return source;
    if (!source.is_object()) return refusal(place, "a schema is an object, true or false");
    json::object target;
    json::array also;
    for (const auto& member : source.get_object()) {
      const std::string_view key(member.key().data(), member.key().size());
      PRX_CHECK(keyword(key, member.value(), source.get_object(), below(place, key), target, also));
    }
    return joined(std::move(target), std::move(also));
  }

 private:
  /// A schema with `$ref` is nothing but that in draft 7: what stands beside it becomes a schema of its own.
  static json::value joined(json::object target, json::array also) {
    if (const auto* reference = target.if_contains("$ref"); reference != nullptr && target.size() > 1) {
      also.push_back(json::object{{"$ref", *reference}});
      target.erase("$ref");
    }
    if (also.empty()) return target;
    json::array& all =
        target["allOf"].is_array() ? target["allOf"].get_array() : target["allOf"].emplace_array();
    for (auto& schema : also) all.push_back(std::move(schema));
    return target;
  }

  Result<void> keyword(std::string_view key, const json::value& value, const json::object& source,
                       std::string_view place, json::object& target, json::array& also) {
    if (is_one_of(key, kNotes)) return {};
    if (is_one_of(key, kAsTheyAre)) {
      target[key] = value;
      return {};
    }
    if (key == "type") return type(value, place, target);
    if (key == "$ref") return reference(value, place, target);
    if (key == "pattern") return pattern(value, place, also);
    if (key == "format") return format(value, place, also);
    if (key == "prefixItems" || key == "additionalItems") return positions(key, value, place, target);
    if (key == "items" && (value.is_array() || source.contains("prefixItems"))) {
      return positions(value.is_array() ? "prefixItems" : "additionalItems", value, place, target);
    }
    if (key == "minContains" && value.is_number() && value == 1) return {};
    if (key == "dependentRequired") return merge_dependencies(value, place, target);
    if (key == "patternProperties") return pattern_properties(value, place, target);
    if (is_one_of(key, kOfOneSchema)) return one(key, value, place, target);
    if (is_one_of(key, kOfSchemaLists)) return list(key, value, place, target);
    if (is_one_of(key, kOfSchemaTables)) return table(key, value, place, target);
    return refusal(place, "this keyword is not taken");
  }

  static Result<void> type(const json::value& value, std::string_view place, json::object& target) {
    const json::array types = value.is_array() ? value.get_array() : json::array{value};
    for (const auto& word : types) {
      if (!word.is_string() ||
          !is_one_of(std::string_view(word.get_string().data(), word.get_string().size()), kTypes)) {
        return refusal(place, "no such type: null, boolean, integer, number, string, array, object");
      }
    }
    target["type"] = value;
    return {};
  }

  static Result<void> reference(const json::value& value, std::string_view place, json::object& target) {
    const auto* text = value.if_string();
    const bool is_local = text != nullptr && (*text == "#" || text->starts_with("#/"));
    if (!is_local) return refusal(place, "only references into the schema itself are taken: \"#/$defs/…\"");
    target["$ref"] = value;
    return {};
  }

  static Result<void> check_expression(const json::value& value, std::string_view place) {
    const auto* text = value.if_string();
    if (text == nullptr) return refusal(place, "a pattern is a text");
    try {
      const std::regex tried(std::string(text->data(), text->size()), std::regex::ECMAScript);
    } catch (const std::regex_error& error) {
      return refusal(place, std::string("this pattern is not taken: ") + error.what());
    }
    return {};
  }

  static Result<void> pattern(const json::value& value, std::string_view place, json::array& also) {
    PRX_CHECK(check_expression(value, place));
    also.push_back(for_short_texts({{"pattern", value}}));
    return {};
  }

  static Result<void> format(const json::value& value, std::string_view place, json::array& also) {
    const auto* text = value.if_string();
    if (text == nullptr || !is_one_of(std::string_view(text->data(), text->size()), kFormats)) {
      return refusal(place, "no format but date, time and date-time is checked: write a pattern");
    }
    // Of other types it says nothing; the validator would take a format for a rule that there be a text.
    also.push_back(json::object{{"if", json::object{{"type", "string"}}},
                                {"then", for_short_texts({{"format", value}})}});
    return {};
  }

  Result<void> positions(std::string_view key, const json::value& value, std::string_view place,
                         json::object& target) {
    if (key == "additionalItems") {
      PRX_TRY(target["additionalItems"], schema(value, place));
      return {};
    }
    if (!value.is_array()) return refusal(place, "is a list of schemas");
    return list_into("items", value, place, target);
  }

  Result<void> one(std::string_view key, const json::value& value, std::string_view place,
                   json::object& target) {
    PRX_TRY(target[key], schema(value, place));
    return {};
  }

  Result<void> list(std::string_view key, const json::value& value, std::string_view place,
                    json::object& target) {
    if (!value.is_array() || value.get_array().empty()) return refusal(place, "is a list of schemas");
    return list_into(key, value, place, target);
  }

  Result<void> list_into(std::string_view key, const json::value& value, std::string_view place,
                         json::object& target) {
    json::array schemas;
    for (const auto& entry : value.get_array()) {
      PRX_TRY(auto translated, schema(entry, below(place, std::to_string(schemas.size()))));
      schemas.push_back(std::move(translated));
    }
    target[key] = std::move(schemas);
    return {};
  }

  Result<void> table(std::string_view key, const json::value& value, std::string_view place,
                     json::object& target) {
    if (!value.is_object()) return refusal(place, "is a table of schemas");
    json::object& schemas = table_in(target, key == "dependentSchemas" ? "dependencies" : key);
    for (const auto& entry : value.get_object()) {
      const std::string_view name(entry.key().data(), entry.key().size());
      if (schemas.contains(name)) return refusal(below(place, name), "is in dependentRequired, too");
      PRX_TRY(schemas[entry.key()], schema(entry.value(), below(place, name)));
    }
    return {};
  }

  static json::object& table_in(json::object& target, std::string_view key) {
    json::value& slot = target[key];
    return slot.is_object() ? slot.get_object() : slot.emplace_object();
  }

  static Result<void> merge_dependencies(const json::value& value, std::string_view place,
                                         json::object& target) {
    if (!value.is_object()) return refusal(place, "is a table of lists of names");
    json::object& dependencies = table_in(target, "dependencies");
    for (const auto& entry : value.get_object()) {
      if (!dependencies.insert(entry).second) return refusal(place, "names what is in dependentSchemas, too");
    }
    return {};
  }

  Result<void> pattern_properties(const json::value& value, std::string_view place, json::object& target) {
    if (!value.is_object()) return refusal(place, "is a table of schemas");
    json::object schemas;
    for (const auto& entry : value.get_object()) {
      PRX_CHECK(check_expression(json::value(entry.key()), place));
      PRX_TRY(schemas[entry.key()], schema(entry.value(), place));
    }
    target["patternProperties"] = std::move(schemas);
    return {};
  }
};

}  // namespace

Result<json::value> translate_schema(const json::value& schema) {
  return Translation().schema(schema, {});
}

}  // namespace prx::io
