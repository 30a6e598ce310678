#include "config/variable_name.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "config/reader.hpp"
#include "config/schema.hpp"
#include "config/text_checks.hpp"

namespace prx::config {

namespace {

constexpr std::string_view kPrefix = "PRX_";
constexpr std::string_view kSeparator = "__";

char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
char to_upper(char c) {
  return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), to_lower);
  return out;
}

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> parts;
  for (auto at = text.find(separator); at != std::string_view::npos; at = text.find(separator)) {
    parts.push_back(text.substr(0, at));
    text.remove_prefix(at + separator.size());
  }
  parts.push_back(text);
  return parts;
}

/// Whether the parts go on below the table of free names at `path`; its own length in parts, or 0.
std::size_t parts_of_table(std::string_view path, const std::vector<std::string_view>& parts) {
  const auto expected = split(path, ".");
  if (parts.size() <= expected.size()) return 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (expected[i] != "<name>" && expected[i] != lower(parts[i])) return 0;
  }
  return expected.size();
}

}  // namespace

std::string variable_name(std::string_view key) {
  std::string name(kPrefix);
  for (const char c : key) {
    if (c == '.') {
      name += kSeparator;
    } else {
      name += to_upper(c);
    }
  }
  return name;
}

std::optional<std::vector<std::string>> key_of_variable(std::string_view name) {
  if (!name.starts_with(kPrefix) || name.find(kSeparator) == std::string_view::npos) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const auto parts = split(name, kSeparator);
  const std::string table = lower(parts.front());
  if (parts.size() < 2 || std::find(kTables.begin(), kTables.end(), table) == kTables.end()) {
    return std::nullopt;
  }
  std::vector<std::string> key;
  key.reserve(parts.size());
  for (const std::string_view part : parts) key.push_back(lower(part));
  for (const ListedKey& listed : listed_keys()) {
    if (listed.info->rule.name_check == nullptr) continue;
    const std::size_t count = parts_of_table(listed.path, parts);
    if (count == 0) continue;
    const std::string_view rest(parts[count].data(), name.data() + name.size());
    key.resize(count);
    key.push_back(listed.info->rule.name_check == checks::env_name ? std::string(rest) : lower(rest));
    break;
  }
  return key;
}

}  // namespace prx::config
