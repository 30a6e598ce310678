#include "io/json_value.hpp"

#define BOOST_JSON_NO_LIB
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "io/json_root.hpp"

namespace prx::io {
namespace {
const boost::json::value& as_json(const void* value) {
  return *static_cast<const boost::json::value*>(value);
}
}  // namespace

JsonValue::JsonValue() = default;
JsonValue::~JsonValue() = default;
JsonValue::JsonValue(const JsonValue&) = default;
JsonValue::JsonValue(JsonValue&&) noexcept = default;
JsonValue& JsonValue::operator=(const JsonValue&) = default;
JsonValue& JsonValue::operator=(JsonValue&&) noexcept = default;

JsonValue::JsonValue(std::shared_ptr<const Root> root, const void* value)
    : root_(std::move(root)), value_(value) {}

Result<JsonValue> JsonValue::parse(std::string_view text) {
  boost::json::error_code error;
  auto value = boost::json::parse({text.data(), text.size()}, error);
  if (error) return Error{ErrorKind::internal, "json", {}, 0, error.message(), {}};
  auto root = std::make_shared<const Root>(Root{std::move(value)});
  const void* top = &root->value;
  return JsonValue(std::move(root), top);
}

JsonValue JsonValue::parse_or_null(std::string_view text) {
  auto value = parse(text);
  return value ? std::move(value).value() : JsonValue();
}

bool JsonValue::is_null() const noexcept {
  return value_ == nullptr || as_json(value_).is_null();
}

bool JsonValue::is_boolean() const noexcept {
  return value_ != nullptr && as_json(value_).is_bool();
}
bool JsonValue::is_number() const noexcept {
  return value_ != nullptr && as_json(value_).is_number();
}
bool JsonValue::is_text() const noexcept {
  return value_ != nullptr && as_json(value_).is_string();
}
bool JsonValue::is_array() const noexcept {
  return value_ != nullptr && as_json(value_).is_array();
}
bool JsonValue::is_object() const noexcept {
  return value_ != nullptr && as_json(value_).is_object();
}

JsonValue JsonValue::operator[](std::string_view key) const {
  if (value_ == nullptr || !as_json(value_).is_object()) return {};
  const auto* member = as_json(value_).get_object().if_contains({key.data(), key.size()});
  return member == nullptr ? JsonValue() : JsonValue(root_, member);
}

std::string JsonValue::text(std::string_view fallback) const {
  if (value_ == nullptr || !as_json(value_).is_string()) return std::string(fallback);
  const auto& text = as_json(value_).get_string();
  return {text.data(), text.size()};
}

std::int64_t JsonValue::number(std::int64_t fallback) const noexcept {
  if (value_ == nullptr) return fallback;
  boost::json::error_code error;
  const auto number = as_json(value_).to_number<std::int64_t>(error);
  return error ? fallback : number;
}

double JsonValue::real(double fallback) const noexcept {
  if (value_ == nullptr) return fallback;
  boost::json::error_code error;
  const auto number = as_json(value_).to_number<double>(error);
  return error ? fallback : number;
}

bool JsonValue::boolean(bool fallback) const noexcept {
  if (value_ == nullptr || !as_json(value_).is_bool()) return fallback;
  return as_json(value_).get_bool();
}

std::vector<JsonValue> JsonValue::items() const {
  std::vector<JsonValue> items;
  if (value_ == nullptr || !as_json(value_).is_array()) return items;
  for (const auto& item : as_json(value_).get_array()) items.push_back(JsonValue(root_, &item));
  return items;
}

std::vector<std::pair<std::string, JsonValue>> JsonValue::members() const {
  std::vector<std::pair<std::string, JsonValue>> members;
  if (value_ == nullptr || !as_json(value_).is_object()) return members;
  for (const auto& member : as_json(value_).get_object()) {
    members.emplace_back(std::string(member.key()), JsonValue(root_, &member.value()));
  }
  return members;
}

std::string JsonValue::json() const {
  return value_ == nullptr ? "null" : boost::json::serialize(as_json(value_));
}

}  // namespace prx::io
