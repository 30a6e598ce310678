#include "config/rule.hpp"

#include <fmt/format.h>

#include "config/suggest.hpp"

namespace prx::config {

std::string describe_rule(const Rule& rule) {
  std::string text(rule.type);
  if (!rule.words.empty()) text += " " + list_of_words(rule.words);
  if (rule.least != rule.most) text += fmt::format(", {} to {}", rule.least, rule.most);
  return text;
}

}  // namespace prx::config
