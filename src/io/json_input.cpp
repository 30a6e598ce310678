#include "io/json_input.hpp"

#define BOOST_JSON_NO_LIB
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/value_stack.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "io/json_root.hpp"

namespace prx::io {
namespace {

namespace json = boost::json;

/// Builds the value and holds it to the limits, piece by piece: nothing is made that is too large.
class Builder {
 public:
  static constexpr std::size_t max_object_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_array_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_key_size = static_cast<std::size_t>(-1);
  static constexpr std::size_t max_string_size = static_cast<std::size_t>(-1);

  explicit Builder(const JsonLimits& limits) : limits_(limits) { stack_.reset(); }

  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }
  [[nodiscard]] json::value take() { return stack_.release(); }

  bool on_document_begin(json::error_code&) { return true; }
  bool on_document_end(json::error_code&) { return true; }
  bool on_object_begin(json::error_code& error) {
    keys_.emplace_back();
    return count(error);
  }
  bool on_object_end(std::size_t size, json::error_code&) {
    keys_.pop_back();
    stack_.push_object(size);
    return true;
  }
  bool on_array_begin(json::error_code& error) { return count(error); }
  bool on_array_end(std::size_t size, json::error_code&) {
    stack_.push_array(size);
    return true;
  }
  bool on_key_part(json::string_view part, std::size_t size, json::error_code& error) {
    if (size > limits_.key_bytes) return refuse("a key is longer than 1024 bytes", error);
    key_.append(part);
    stack_.push_chars(part);
    return true;
  }
  bool on_key(json::string_view part, std::size_t size, json::error_code& error) {
    if (size > limits_.key_bytes) return refuse("a key is longer than 1024 bytes", error);
    key_.append(part);
    stack_.push_key(part);
    if (!keys_.back().insert(key_).second) return refuse("the key \"" + key_ + "\" is there twice", error);
    key_.clear();
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, json::error_code&) {
    stack_.push_chars(part);
    return true;
  }
  bool on_string(json::string_view part, std::size_t, json::error_code& error) {
    stack_.push_string(part);
    return count(error);
  }
  bool on_number_part(json::string_view, json::error_code&) { return true; }
  bool on_int64(std::int64_t number, json::string_view, json::error_code& error) {
    stack_.push_int64(number);
    return count(error);
  }
  bool on_uint64(std::uint64_t number, json::string_view, json::error_code& error) {
    stack_.push_uint64(number);
    return count(error);
  }
  bool on_double(double number, json::string_view, json::error_code& error) {
    stack_.push_double(number);
    return count(error);
  }
  bool on_bool(bool value, json::error_code& error) {
    stack_.push_bool(value);
    return count(error);
  }
  bool on_null(json::error_code& error) {
    stack_.push_null();
    return count(error);
  }
  bool on_comment_part(json::string_view, json::error_code&) { return true; }
  bool on_comment(json::string_view, json::error_code&) { return true; }

 private:
  bool count(json::error_code& error) {
    if (++values_ <= limits_.values) return true;
    return refuse("there are more than " + std::to_string(limits_.values) + " values in it", error);
  }
  bool refuse(std::string problem, json::error_code& error) {
    problem_ = std::move(problem);
    error = json::make_error_code(json::error::array_too_large);
    return false;
  }

  const JsonLimits& limits_;
  json::value_stack stack_;
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
  std::string key_;
  std::string problem_;
  std::size_t values_ = 0;
};

std::string problem_at(const json::error_code& error, std::string_view text, std::size_t at,
                       const JsonLimits& limits) {
  if (error == json::error::too_deep) {
    return "it is nested more than " + std::to_string(limits.depth) + " deep";
  }
  if (error == json::error::incomplete) return "it ends too early: a bracket or a quote is missing";
  if (at == text.size() && text.empty()) return "there is no JSON";
  return error.message() + " at byte " + std::to_string(at + 1);
}

}  // namespace

Result<JsonValue> JsonInput::parse(std::string_view text, std::string_view step, std::string_view subject,
                                   const JsonLimits& limits) {
  const auto refusal = [&](std::string detail, std::string hint) {
    return Error{ErrorKind::invalid_request, std::string(step), std::string(subject), 0,
                 std::move(detail),          std::move(hint)};
  };
  if (text.size() > limits.bytes) {
    return refusal("more than " + std::to_string(limits.bytes) + " bytes",
                   "put large content into a file of the workspace and name the file");
  }
  json::parse_options options;
  options.max_depth = limits.depth;
  json::basic_parser<Builder> parser(options, limits);
  json::error_code error;
  const std::size_t read = parser.write_some(false, text.data(), text.size(), error);
  if (!error && read < text.size()) error = json::make_error_code(json::error::extra_data);
  if (error) {
    const auto& own = parser.handler().problem();
    return refusal(own.empty() ? "not JSON: " + problem_at(error, text, read, limits) : own,
                   "give one JSON object, in UTF-8, each key once");
  }
  auto root = std::make_shared<const JsonValue::Root>(JsonValue::Root{parser.handler().take()});
  const void* top = &root->value;
  return JsonValue(std::move(root), top);
}

}  // namespace prx::io
