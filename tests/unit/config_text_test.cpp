#include <sstream>

#include "config/schema.hpp"
#include "config_fixture.hpp"

namespace prx::config {
namespace {

using ConfigText = ConfigTest;

/// The default text with every line that is switched off by a "#" switched on.
std::string switched_on(std::string_view text) {
  std::string out;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const bool is_off = line.size() > 1 && line[0] == '#' && line[1] != ' ';
    out += (is_off ? line.substr(1) : line) + "\n";
  }
  return out;
}

TEST_F(ConfigText, TheDefaultTextIsTheDefaults) {
  const auto defaults = load_config(sources());
  const auto config = load_text(default_config_text());
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(dump(*config), dump(*defaults));
  EXPECT_TRUE(check_config(file_sources(default_config_text())).findings.empty());
}

TEST_F(ConfigText, TheDefaultTextSetsNoKeyWhoseSettingMatters) {
  const auto config = load_text(default_config_text());
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_TRUE(config->is_set("runtime.backend"));
  for (const ListedKey& key : listed_keys()) {
    EXPECT_EQ(config->is_set(key.path), key.info->start == Start::written) << key.path;
  }
  EXPECT_FALSE(config->is_set("security.resources"));
}

TEST_F(ConfigText, EveryKeyThatIsSwitchedOffCanBeSwitchedOn) {
  const auto config = load_text(switched_on(default_config_text()));
  ASSERT_TRUE(config) << config.error().message();
  const Config defaults = *load_config(sources());
  for (const ListedKey& key : listed_keys()) {
    std::string path = key.path;
    if (const auto at = path.find("<name>"); at != std::string::npos) path.replace(at, 6, "example");
    EXPECT_EQ(config->is_set(path), key.info->start != Start::alternative) << path;
    if (key.info->start == Start::set_matters && path != "runtime.native.shell") {
      EXPECT_EQ(value_of(*config, path), value_of(defaults, path)) << path;
    }
  }
}

TEST_F(ConfigText, WhatIsShownReadsBackAsTheSame) {
  const auto config = load_text(switched_on(default_config_text()));
  ASSERT_TRUE(config) << config.error().message();
  std::string text;
  for (const ConfigItem& item : config_items(*config)) {
    if (item.key != "tools.custom.example.parameters") text += item.key + " = " + item.value + "\n";
  }
  text +=
      R"(tools.custom.example.parameters = { type = "object", properties = { name = { type = "string" } } })";
  const auto again = load_text(text);
  ASSERT_TRUE(again) << again.error().message() << "\n" << text;
  EXPECT_EQ(dump(*again), dump(*config));
}

TEST_F(ConfigText, EveryShownKeyHasItsOrigin) {
  const auto config = load_text("runtime.native.pool = 3");
  ASSERT_TRUE(config);
  for (const ConfigItem& item : config_items(*config)) {
    const bool is_set = item.key == "runtime.native.pool";
    EXPECT_EQ(item.origin.layer, is_set ? ConfigLayer::user : ConfigLayer::built_in) << item.key;
  }
}

TEST_F(ConfigText, LinesOfTheDefaultTextFitAScreen) {
  std::istringstream lines{std::string(default_config_text())};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("# ")) {
      EXPECT_LE(line.size(), 110U) << line;
    }
  }
}

TEST(ConfigReference, NamesEveryKeyWithItsDefault) {
  const std::filesystem::path root = PRX_TEST_SOURCE_DIR;
  const std::ifstream file(root / "docs/configuration.md");
  ASSERT_TRUE(file) << "docs/configuration.md is missing";
  std::stringstream content;
  content << file.rdbuf();
  const std::string reference = content.str();
  for (const ListedKey& key : listed_keys()) {
    const auto at = reference.find("\n| `" + key.path + "` |");
    ASSERT_NE(at, std::string::npos) << key.path << " is not in docs/configuration.md";
    const std::string line = reference.substr(at + 1, reference.find('\n', at + 1) - at - 1);
    const bool has_default = key.info->start == Start::written || key.info->start == Start::set_matters;
    if (has_default) {
      EXPECT_NE(line.find("| `" + std::string(key.info->value) + "` |"), std::string::npos) << line;
    }
  }
}

}  // namespace
}  // namespace prx::config
