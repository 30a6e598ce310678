// Any bytes as a configuration file, a --set option and a PRX_ variable. Beyond not crashing: what was
// accepted, written out and read again is the same.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <prx/config.hpp>

#include "config/combinations.hpp"
#include "config/layer.hpp"
#include "config/overrides.hpp"
#include "config/reader.hpp"
#include "config/toml_reader.hpp"

namespace {

constexpr std::string_view kHome = "/home/fuzz";

struct Read {
  prx::Config config;
  std::vector<prx::ConfigFinding> findings;

  [[nodiscard]] bool is_good() const {
    return std::none_of(findings.begin(), findings.end(),
                        [](const prx::ConfigFinding& finding) { return finding.error; });
  }
};

Read read_file(std::string_view text) {
  Read read;
  prx::config::Layer layer(prx::ConfigLayer::user, "fuzz.toml", kHome, read.findings, read.config.origins);
  const auto document = prx::config::read_toml(text);
  if (const auto* table = std::get_if<prx::config::Table>(&document)) {
    prx::config::read_document(*table, layer, read.config);
  } else {
    layer.refuse("", {}, "is not TOML");
  }
  prx::config::check_combinations(read.config, read.findings);
  return read;
}

/// What was set, as a file: a default written out would count as set and could contradict another key. The
/// parameters of tools are shown as JSON, which is not how they are written.
std::string written_out(const prx::Config& config) {
  std::string text;
  for (const prx::ConfigItem& item : prx::config_items(config)) {
    const bool is_json = item.key.starts_with("tools.custom.") && item.key.ends_with(".parameters");
    const bool is_set = item.origin.layer != prx::ConfigLayer::built_in;
    if (is_set && !is_json) text += item.key + " = " + item.value + "\n";
  }
  return text;
}

void check_round_trip(const prx::Config& config) {
  const std::string text = written_out(config);
  const Read again = read_file(text);
  if (!again.is_good() || written_out(again.config) != text) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  const Read file = read_file(text);
  if (file.is_good()) check_round_trip(file.config);

  Read override;
  prx::config::read_settings({text}, kHome, override.findings, override.config);
  prx::config::read_variables({"PRX_RUNTIME__" + text, "PRX_" + text}, kHome, override.findings,
                              override.config);
  prx::config::check_combinations(override.config, override.findings);
  if (override.is_good()) check_round_trip(override.config);
  return 0;
}
