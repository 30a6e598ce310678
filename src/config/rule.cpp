#include "config/rule.hpp"

#include <fmt/format.h>

#include "config/size_text.hpp"
#include "config/suggest.hpp"

namespace prx::config {

namespace {

std::string with_limits(std::string_view type, const Rule& rule) {
  std::string text(type);
  if (!rule.words.empty()) text += " " + list_of_words(rule.words);
  if (rule.unit == Unit::bytes || rule.unit == Unit::size_text) {
    const auto size = [](std::int64_t number) { return format_size({static_cast<std::uint64_t>(number)}); };
    text += fmt::format(", {} to {}", size(rule.least), size(rule.most));
  } else if (rule.least != rule.most) {
    text += fmt::format(", {} to {}", rule.least, rule.most);
  }
  return text;
}

}  // namespace

std::string describe_rule(const Rule& rule) {
  return with_limits(rule.type, rule);
}

std::string describe_item(const Rule& rule) {
  if (!rule.words.empty()) return with_limits("one of", rule);
  return with_limits(rule.unit == Unit::seconds ? "a whole number of seconds" : "a string", rule);
}

}  // namespace prx::config
