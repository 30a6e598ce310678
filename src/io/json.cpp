#include "io/json.hpp"

#define BOOST_JSON_NO_LIB
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include "io/json_value.hpp"

namespace prx::io {

struct Json::Value {
  boost::json::value json;
};

Json::Json() : value_(std::make_unique<Value>()) {}
Json::~Json() = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(Json&&) noexcept = default;

Json::Json(std::string_view text) : Json() {
  value_->json.emplace_string().assign(text.data(), text.size());
}
Json::Json(BoolTag, bool value) : Json() {
  value_->json = value;
}
Json::Json(UnsignedTag, std::uint64_t value) : Json() {
  value_->json = value;
}
Json::Json(SignedTag, std::int64_t value) : Json() {
  value_->json = value;
}

Json::Json(const JsonValue& value) : Json() {
  if (value.value_ != nullptr) value_->json = *static_cast<const boost::json::value*>(value.value_);
}

Json Json::object() {
  Json result;
  result.value_->json.emplace_object();
  return result;
}

Json Json::array() {
  Json result;
  result.value_->json.emplace_array();
  return result;
}

Json& Json::set(std::string_view key, Json value) {
  value_->json.get_object().insert_or_assign({key.data(), key.size()}, std::move(value.value_->json));
  return *this;
}

Json& Json::push(Json value) {
  value_->json.get_array().push_back(std::move(value.value_->json));
  return *this;
}

std::string Json::text() const {
  return boost::json::serialize(value_->json);
}

}  // namespace prx::io
