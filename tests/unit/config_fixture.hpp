#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <prx/config.hpp>

namespace prx::config {

/// A directory of its own for each test, which is also HOME.
class ConfigTest : public ::testing::Test {
 public:
  ~ConfigTest() override {
    std::error_code ignored;
    std::filesystem::remove_all(home_, ignored);
  }
  ConfigTest(const ConfigTest&) = delete;
  ConfigTest& operator=(const ConfigTest&) = delete;

 protected:
  ConfigTest() {
    std::string name = (std::filesystem::temp_directory_path() / "prx-config-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    home_ = std::move(name);
  }
  [[nodiscard]] std::string path(std::string_view name) const { return home_ + "/" + std::string(name); }

  std::string write(std::string_view name, std::string_view text) const {
    const std::string file = path(name);
    std::filesystem::create_directories(std::filesystem::path(file).parent_path());
    std::ofstream(file, std::ios::binary) << text;
    return file;
  }

  /// Sources with HOME and nothing else in the environment.
  [[nodiscard]] ConfigSources sources() const {
    ConfigSources sources;
    sources.environment.push_back("HOME=" + home_);
    return sources;
  }

  [[nodiscard]] ConfigSources file_sources(std::string_view text) const {
    ConfigSources from = sources();
    from.file = write("config.toml", text);
    return from;
  }

  [[nodiscard]] Result<Config> load_text(std::string_view text) const {
    return load_config(file_sources(text));
  }

  [[nodiscard]] Result<Config> load_settings(std::vector<std::string> settings) const {
    ConfigSources from = sources();
    from.settings = std::move(settings);
    return load_config(from);
  }

  [[nodiscard]] Result<Config> load_variables(const std::vector<std::string>& variables) const {
    ConfigSources from = sources();
    from.environment.insert(from.environment.end(), variables.begin(), variables.end());
    return load_config(from);
  }

  /// A place in the file of load_text().
  [[nodiscard]] std::string place(std::string_view line_and_column) const {
    return path("config.toml") + ":" + std::string(line_and_column);
  }

  std::string home_;
};

/// The whole effective configuration as text, to compare two.
inline std::string dump(const Config& config) {
  std::string text;
  for (const ConfigItem& item : config_items(config)) text += item.key + " = " + item.value + "\n";
  return text;
}

inline std::string value_of(const Config& config, std::string_view key) {
  const auto items = config_items(config);
  const auto is_it = [&](const ConfigItem& item) { return item.key == key; };
  const auto found = std::find_if(items.begin(), items.end(), is_it);
  return found == items.end() ? "(none)" : found->value;
}

}  // namespace prx::config
