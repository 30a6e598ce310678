#include "core/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace prx::core {
namespace {

constexpr std::array<std::string_view, 2> kLoaderPrefixes{"LD_", "DYLD_"};
constexpr std::array<std::string_view, 7> kLoaderNames{
    "NODE_OPTIONS", "PYTHONPATH", "PYTHONSTARTUP", "RUBYOPT", "PERL5OPT", "BASH_ENV", "ENV"};

}  // namespace

bool is_loader_variable(std::string_view name) noexcept {
  const auto is_prefix = [name](std::string_view prefix) { return name.starts_with(prefix); };
  return std::any_of(kLoaderPrefixes.begin(), kLoaderPrefixes.end(), is_prefix) ||
         std::find(kLoaderNames.begin(), kLoaderNames.end(), name) != kLoaderNames.end();
}

FilteredEnvironment filter_environment(std::span<const std::string> host,
                                       std::span<const std::string> whitelist) {
  FilteredEnvironment result;
  for (const auto& entry : host) {
    const auto separator = entry.find('=');
    const auto name = std::string_view(entry).substr(0, separator);
    const bool listed = std::find(whitelist.begin(), whitelist.end(), name) != whitelist.end();
    if (!listed || separator == std::string::npos || is_loader_variable(name)) {
      ++result.withheld;
      continue;
    }
    result.passed.push_back({std::string(name), entry.substr(separator + 1)});
  }
  return result;
}

std::vector<EnvVar> merge_environment(std::vector<EnvVar> base, std::span<const EnvVar> over) {
  std::unordered_map<std::string_view, std::size_t> places;
  base.reserve(base.size() + over.size());  // keeps the views of the map valid
  for (std::size_t i = 0; i < base.size(); ++i) places.emplace(base[i].name, i);
  for (const auto& variable : over) {
    const auto [place, is_new] = places.emplace(variable.name, base.size());
    if (is_new) {
      base.push_back(variable);
    } else {
      base[place->second].value = variable.value;
    }
  }
  return base;
}

Result<void> check_variable(const EnvVar& variable) {
  const auto refuse = [&](const char* detail) {
    return Error{
        ErrorKind::invalid_request, "env", variable.name.substr(0, variable.name.find('\0')), 0, detail, {}};
  };
  if (variable.name.empty()) return refuse("a variable has an empty name");
  if (variable.name.find('=') != std::string::npos) return refuse("a variable's name holds '='");
  if (variable.name.find('\0') != std::string::npos) return refuse("a variable's name holds a NUL byte");
  if (variable.value.find('\0') != std::string::npos) return refuse("the value holds a NUL byte");
  return {};
}

std::vector<std::string> process_environment() {
  std::vector<std::string> entries;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return entries;
}

}  // namespace prx::core
