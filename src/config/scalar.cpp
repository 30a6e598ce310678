#include "config/scalar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/utf8.hpp"
#include "config/size_text.hpp"
#include "config/suggest.hpp"

namespace prx::config {

namespace {

std::string_view last_part(std::string_view path) {
  return path.substr(path.rfind('.') + 1);
}

/// A right value of the key, in the form that the layer is written in.
std::string example_of(const Input& in) {
  const bool is_table = in.info.rule.name_check != nullptr;  // its example has the name already
  if (in.layer.kind() == ConfigLayer::user && !is_table) {
    return fmt::format("for example: {} = {}", last_part(in.info.path), in.info.value);
  }
  return fmt::format("for example: {}", in.info.value);
}

void refuse(const Item& item, std::string problem) {
  item.in.layer.refuse(item.key, item.value.at, std::move(problem), example_of(item.in));
}

const char* unit_name(Unit unit) {
  switch (unit) {
    case Unit::seconds:
      return " seconds";
    case Unit::mebibytes:
      return " MiB";
    case Unit::bytes:
    case Unit::size_text:
      return " bytes";
    case Unit::none:
      break;
  }
  return "";
}

/// A list was wanted and one of its items came alone.
std::string list_hint(const std::string& item) {
  return fmt::format("a list is written [{}]", quoted(item));
}

std::optional<std::int64_t> in_range(const Item& item, std::int64_t number) {
  const Rule& rule = item.in.info.rule;
  if (number >= rule.least && number <= rule.most) return number;
  const bool low = number < rule.least;
  refuse(item, fmt::format("{} is {} than {}{}, the {} it can be", number, low ? "less" : "more",
                           low ? rule.least : rule.most, unit_name(rule.unit), low ? "least" : "most"));
  return std::nullopt;
}

std::optional<std::string> with_home(const Item& item, std::string text) {
  if (!item.in.info.rule.expands_home || (text != "~" && !text.starts_with("~/"))) return text;
  const std::string_view home = item.in.layer.home();
  if (home.empty()) {
    refuse(item, fmt::format("{} needs HOME, which is not set to an absolute path", quoted(text)));
    return std::nullopt;
  }
  return std::string(home) + text.substr(1);
}

}  // namespace

void refuse_type(const Item& item) {
  const Rule& rule = item.in.info.rule;
  const bool is_whole = &item.value == &item.in.value;
  const bool has_own_key = item.key != item.in.key;
  refuse(item, fmt::format("{} {}, not {}", is_whole || has_own_key ? "wants" : "each item is",
                           is_whole ? describe_rule(rule) : describe_item(rule), in_words(item.value)));
}

void refuse_no_list(const Input& in) {
  const auto* alone = std::get_if<std::string>(&in.value.data);
  if (alone == nullptr) return refuse_type({in, in.key, in.value});
  in.layer.refuse(in.key, in.value.at,
                  fmt::format("wants {}, not {}", describe_rule(in.info.rule), in_words(in.value)),
                  list_hint(*alone));
}

std::optional<std::int64_t> whole_number(const Item& item) {
  const auto* number = std::get_if<std::int64_t>(&item.value.data);
  if (number == nullptr) {
    refuse_type(item);
    return std::nullopt;
  }
  return in_range(item, *number);
}

std::optional<double> cpus(const Item& item) {
  std::optional<double> number;
  if (const auto* whole = std::get_if<std::int64_t>(&item.value.data)) {
    number = static_cast<double>(*whole);
  } else if (const auto* fraction = std::get_if<double>(&item.value.data)) {
    number = *fraction;
  } else if (const auto* text = std::get_if<std::string>(&item.value.data)) {
    double parsed = 0;
    const char* end = text->data() + text->size();
    const auto [rest, error] = std::from_chars(text->data(), end, parsed);
    if (error == std::errc{} && rest == end) number = parsed;
  }
  if (!number) {
    refuse_type(item);
    return std::nullopt;
  }
  // Written so that NaN fails it.
  if (!(*number >= 0.01 && *number <= 4096)) {
    refuse(item, fmt::format("{} is not between 0.01 and 4096 CPUs", *number));
    return std::nullopt;
  }
  return number;
}

std::optional<std::uint64_t> bytes(const Item& item) {
  const Unit unit = item.in.info.rule.unit;
  const auto* text = std::get_if<std::string>(&item.value.data);
  if (unit == Unit::mebibytes || text == nullptr) {
    const auto number = whole_number(item);
    if (!number) return std::nullopt;
    return static_cast<std::uint64_t>(*number) << (unit == Unit::mebibytes ? 20U : 0U);
  }
  const auto size = parse_size(*text);
  if (!size) {
    refuse(item, fmt::format("{} is not a size: write {}", quoted(*text), kSizeUnits));
    return std::nullopt;
  }
  const auto most = static_cast<std::uint64_t>(item.in.info.rule.most);
  const auto least = static_cast<std::uint64_t>(item.in.info.rule.least);
  if (size->value < least || size->value > most) {
    refuse(item, fmt::format("{} is not between {} and {}", quoted(*text), format_size({least}),
                             format_size({most})));
    return std::nullopt;
  }
  return size->value;
}

std::optional<std::string> text(const Item& item) {
  const auto* written = std::get_if<std::string>(&item.value.data);
  if (written == nullptr && item.value.given) written = &*item.value.given;
  if (written == nullptr) {
    refuse_type(item);
    return std::nullopt;
  }
  if (written->find('\0') != std::string::npos) {
    refuse(item, fmt::format("{} has a NUL byte, which no program can be given", quoted(*written)));
    return std::nullopt;
  }
  if (!base::is_utf8(*written)) {
    refuse(item, fmt::format("{} is not valid UTF-8", quoted(*written)));
    return std::nullopt;
  }
  auto expanded = with_home(item, *written);
  const TextCheck check = item.in.info.rule.check;
  if (const char* wrong = expanded && check != nullptr ? check(*expanded) : nullptr) {
    refuse(item, fmt::format("{} {}", quoted(*written), wrong));
    return std::nullopt;
  }
  return expanded;
}

std::optional<std::string_view> word(const Item& item) {
  const auto words = item.in.info.rule.words;
  const auto* written = std::get_if<std::string>(&item.value.data);
  if (written == nullptr) {
    refuse_type(item);
    return std::nullopt;
  }
  const auto found = std::find(words.begin(), words.end(), *written);
  if (found != words.end()) return *found;
  const auto meant = nearest(*written, words);
  item.in.layer.refuse(item.key, item.value.at,
                       fmt::format("{} is not one of {}", quoted(*written), list_of_words(words)),
                       meant ? fmt::format("did you mean \"{}\"?", *meant) : example_of(item.in));
  return std::nullopt;
}

bool is_good_name(const Input& in, const Entry& entry) {
  const char* wrong = nullptr;
  if (entry.key.find('\0') != std::string::npos) wrong = "has a NUL byte";
  if (wrong == nullptr && in.info.rule.name_check != nullptr) wrong = in.info.rule.name_check(entry.key);
  if (wrong == nullptr) return true;
  in.layer.refuse(join_key(in.key, entry.key), entry.at,
                  fmt::format("the name {} {}", quoted(entry.key), wrong), example_of(in));
  return false;
}

}  // namespace prx::config
