#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include <prx/config.hpp>

#include "base/errno_text.hpp"
#include "config/combinations.hpp"
#include "config/layer.hpp"
#include "config/overrides.hpp"
#include "config/reader.hpp"
#include "config/toml_reader.hpp"
#include "config/user_file.hpp"

namespace prx {

namespace {

struct Loaded {
  Config config;
  std::vector<ConfigFinding> findings;
  config::UserFile file;
  bool file_exists = false;
  int file_errno = 0;  ///< of the first finding, where the file could not be read
};

void sort_by_place(std::vector<ConfigFinding>& findings) {
  const auto is_before = [](const ConfigFinding& a, const ConfigFinding& b) {
    return std::tie(a.where.line, a.where.column, a.key, a.text) <
           std::tie(b.where.line, b.where.column, b.key, b.text);
  };
  std::sort(findings.begin(), findings.end(), is_before);
}

void read_text(const std::string& text, std::string_view home, Loaded& loaded) {
  config::Layer layer(ConfigLayer::user, loaded.file.path, home, loaded.findings, loaded.config.origins);
  const auto document = config::read_toml(text);
  if (const auto* error = std::get_if<config::SyntaxError>(&document)) {
    return layer.refuse("", error->at, "is not TOML: " + error->text, "https://toml.io has the format");
  }
  config::read_document(std::get<config::Table>(document), layer, loaded.config);
  // The document is a map: its keys come by name, and a person reads from top to bottom.
  sort_by_place(loaded.findings);
}

void read_user_layer(std::string_view home, Loaded& loaded) {
  const auto text = config::read_user_file(loaded.file);
  if (const auto* problem = std::get_if<config::FileProblem>(&text)) {
    loaded.file_errno = problem->os_errno;
    loaded.file_exists = problem->os_errno != ENOENT && problem->os_errno != ENOTDIR;
    loaded.findings.push_back(
        {true, {ConfigLayer::user, loaded.file.path, 0, 0}, {}, problem->text, problem->hint});
    return;
  }
  const auto& found = std::get<std::optional<std::string>>(text);
  loaded.file_exists = found.has_value();
  if (found) read_text(*found, home, loaded);
}

void expand_default_paths(std::string_view home, Config& config) {
  std::string& path = config.runtime.wasm.module_path;
  if (!home.empty() && path.starts_with("~/")) path.replace(0, 1, home);
}

Loaded load_layers(const ConfigSources& sources) {
  Loaded loaded;
  const std::string_view home = config::home_of(sources.environment);
  loaded.file = config::locate_user_file(sources);
  expand_default_paths(home, loaded.config);
  read_user_layer(home, loaded);
  config::read_variables(sources.environment, home, loaded.findings, loaded.config);
  config::read_settings(sources.settings, home, loaded.findings, loaded.config);
  config::check_combinations(loaded.config, loaded.findings);
  return loaded;
}

Error to_error(const ConfigFinding& finding, std::size_t others) {
  Error error{ErrorKind::invalid_request, "config", finding.where.describe(), 0, finding.text, finding.hint};
  if (!finding.key.empty()) error.detail = fmt::format("{}: {}", finding.key, finding.text);
  if (others > 0) error.detail += fmt::format(" (and {} more)", others);
  return error;
}

}  // namespace

std::string Origin::describe() const {
  switch (layer) {
    case ConfigLayer::built_in:
      return "built-in";
    case ConfigLayer::environment:
      return source;
    case ConfigLayer::option:
      return "--set " + source;
    case ConfigLayer::user:
      break;
  }
  return line == 0 ? source : fmt::format("{}:{}:{}", source, line, column);
}

Origin Config::origin_of(std::string_view key) const {
  const auto found = origins.find(std::string(key));
  return found == origins.end() ? Origin{} : found->second;
}

bool Config::is_set(std::string_view key) const {
  if (origins.empty()) return false;
  std::string name(key);
  if (origins.contains(name)) return true;
  name += '.';
  const auto below = origins.lower_bound(name);
  return below != origins.end() && below->first.starts_with(name);
}

ConfigSources ConfigSources::of_process() {
  ConfigSources sources;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    sources.environment.emplace_back(*variable);
  }
  return sources;
}

Result<Config> load_config(const ConfigSources& sources) {
  Loaded loaded = load_layers(sources);
  const auto is_error = [](const ConfigFinding& finding) { return finding.error; };
  const auto first = std::find_if(loaded.findings.begin(), loaded.findings.end(), is_error);
  if (first == loaded.findings.end()) return std::move(loaded.config);
  const auto count = std::count_if(first, loaded.findings.end(), is_error);
  Error error = to_error(*first, static_cast<std::size_t>(count - 1));
  error.os_errno = loaded.file_errno;
  return error;
}

ConfigReport check_config(const ConfigSources& sources) {
  Loaded loaded = load_layers(sources);
  if (loaded.file_errno != 0) {
    loaded.findings.front().text += ": " + base::errno_text(loaded.file_errno);
  }
  return {std::move(loaded.file.path), loaded.file_exists, std::move(loaded.findings)};
}

}  // namespace prx
