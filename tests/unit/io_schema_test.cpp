#include <gtest/gtest.h>

#include <string>

#include "io/json_input.hpp"
#include "io/json_schema.hpp"

namespace prx::io {
namespace {

Result<JsonSchema> compile(const std::string& text) {
  return JsonSchema::compile(JsonValue::parse_or_null(text));
}

bool fits(const std::string& schema, const std::string& value) {
  const auto compiled = compile(schema);
  if (!compiled) ADD_FAILURE() << schema << ": " << compiled.error().message();
  return compiled && compiled->problems_of(JsonValue::parse_or_null(value)).empty();
}

TEST(JsonInput, TakesWhatIsWithinTheLimitsAndRefusesWhatIsNot) {
  const JsonLimits limits{.bytes = 64, .depth = 4, .values = 6, .key_bytes = 8};
  const auto takes = [&](const std::string& text) {
    return JsonInput::parse(text, "arguments", "t", limits).has_value();
  };
  EXPECT_TRUE(takes(R"({"a":[[[1]]]})"));
  EXPECT_FALSE(takes(R"({"a":[[[[1]]]]})"));
  EXPECT_TRUE(takes("[1,2,3,4,5]"));
  EXPECT_FALSE(takes("[1,2,3,4,5,6]"));
  EXPECT_TRUE(takes(R"({"12345678":1})"));
  EXPECT_FALSE(takes(R"({"123456789":1})"));
  EXPECT_TRUE(takes('"' + std::string(62, 'x') + '"'));
  EXPECT_FALSE(takes('"' + std::string(63, 'x') + '"'));
}

TEST(JsonInput, SaysWhatIsWrong) {
  const auto detail = [](const std::string& text) {
    const auto read = JsonInput::parse(text, "arguments", "t");
    return read ? "none" : read.error().detail;
  };
  EXPECT_EQ(detail(R"({"a":1,"b":{"a":1}})"), "none");
  EXPECT_EQ(detail(R"({"a":1,"b":2,"a":3})"), "the key \"a\" is there twice");
  EXPECT_EQ(detail(R"({"a":1,"\u0061":3})"), "the key \"a\" is there twice");
  EXPECT_NE(detail("{\"a\":\"\xff\"}").find("not JSON"), std::string::npos);
  EXPECT_NE(detail("{\"a\":").find("ends too early"), std::string::npos);
  EXPECT_NE(detail("{} {}").find("not JSON"), std::string::npos);
  EXPECT_NE(detail("").find("not JSON"), std::string::npos);
  EXPECT_NE(detail(std::string(2U << 20U, ' ')).find("more than"), std::string::npos);
  EXPECT_NE(detail(std::string(5000, '[')).find("deep"), std::string::npos);
}

TEST(JsonSchema, Keywords) {
  const struct {
    const char* schema;
    const char* good;
    const char* bad;
  } cases[] = {
      {R"({"type":"string"})", R"("a")", "1"},
      {R"({"type":["integer","null"]})", "null", "1.5"},
      {R"({"enum":["a","b"]})", R"("b")", R"("c")"},
      {R"({"const":1})", "1", "2"},
      {R"({"minimum":2,"exclusiveMaximum":4})", "2", "4"},
      {R"({"multipleOf":3})", "6", "7"},
      {R"({"type":"string","minLength":2,"maxLength":3})", R"("äö")", R"("äöüß")"},
      {R"({"pattern":"^a+$"})", R"("aa")", R"("ab")"},
      {R"({"type":"string","format":"date"})", R"("2026-02-28")", R"("2026-13-28")"},
      {R"({"items":{"type":"integer"},"maxItems":2})", "[1,2]", R"([1,"a"])"},
      {R"({"uniqueItems":true})", "[1,2]", "[1,1]"},
      {R"({"prefixItems":[{"type":"integer"}],"items":{"type":"string"}})", R"([1,"a"])", "[1,2]"},
      {R"({"prefixItems":[{"type":"integer"}],"items":false})", "[1]", "[1,2]"},
      {R"({"contains":{"const":1}})", "[0,1]", "[0]"},
      {R"({"required":["a"]})", R"({"a":1})", "{}"},
      {R"({"properties":{"a":{"type":"integer"}},"additionalProperties":false})", R"({"a":1})", R"({"b":1})"},
      {R"({"patternProperties":{"^x":{"type":"integer"}}})", R"({"x1":1})", R"({"x1":"a"})"},
      {R"({"propertyNames":{"maxLength":2}})", R"({"ab":1})", R"({"abc":1})"},
      {R"({"dependentRequired":{"a":["b"]}})", R"({"a":1,"b":1})", R"({"a":1})"},
      {R"({"dependentSchemas":{"a":{"required":["b"]}}})", R"({"a":1,"b":1})", R"({"a":1})"},
      {R"({"allOf":[{"minimum":1},{"maximum":2}]})", "1", "3"},
      {R"({"anyOf":[{"const":1},{"const":2}]})", "2", "3"},
      {R"({"oneOf":[{"minimum":1},{"minimum":5}]})", "1", "6"},
      {R"({"not":{"const":1}})", "2", "1"},
      {R"({"if":{"const":1},"then":true,"else":{"minimum":5}})", "1", "2"},
      {R"({"$defs":{"n":{"type":"integer"}},"properties":{"a":{"$ref":"#/$defs/n","minimum":3}}})",
       R"({"a":3})", R"({"a":2})"},
  };
  for (const auto& one : cases) {
    EXPECT_TRUE(fits(one.schema, one.good)) << one.schema;
    EXPECT_FALSE(fits(one.schema, one.bad)) << one.schema;
  }
}

TEST(JsonSchema, RefusesWhatItCannotHoldAValueTo) {
  for (const char* schema :
       {R"({"unevaluatedProperties":false})", R"({"$dynamicRef":"#x"})", R"({"minContains":2})",
        R"({"format":"email"})", R"({"$ref":"https://example.com/x"})", R"({"type":"text"})",
        R"({"pattern":"(?<=a)b"})", R"({"pattern":"["})", R"({"properties":{"a":{"minimun":1}}})",
        R"({"$ref":"#/$defs/none"})", R"({"minLength":"a"})"}) {
    const auto compiled = compile(schema);
    EXPECT_FALSE(compiled) << schema;
    if (!compiled) {
      EXPECT_EQ(compiled.error().kind, ErrorKind::invalid_request);
    }
  }
}

TEST(JsonSchema, ALongTextMatchesNoPattern) {
  const std::string schema = R"({"pattern":"^(a|b)*$"})";
  EXPECT_TRUE(fits(schema, '"' + std::string(1024, 'a') + '"'));
  EXPECT_FALSE(fits(schema, '"' + std::string(1025, 'a') + '"'));
  EXPECT_FALSE(fits(schema, '"' + std::string(900'000, 'a') + '"'));
}

TEST(JsonSchema, FillsDefaultsInObjectsWithinObjects) {
  const auto schema = compile(
      R"({"properties":{"a":{"default":1},"b":{"properties":{"c":{"default":"x"}}},"d":{"default":{}}}})");
  ASSERT_TRUE(schema);
  EXPECT_EQ(schema->with_defaults(JsonValue::parse_or_null(R"({"b":{}})")).json(),
            R"({"b":{"c":"x"},"a":1,"d":{}})");
  EXPECT_EQ(schema->with_defaults(JsonValue::parse_or_null(R"({"a":2,"d":1})")).json(), R"({"a":2,"d":1})");
}

}  // namespace
}  // namespace prx::io
