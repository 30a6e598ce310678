#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>

#include <prx/prx.hpp>

#include "support/temp_dir.hpp"

namespace prx::test {

/// A configuration from TOML, over nothing of this machine; commands run in a directory of their own.
class ToolboxTest : public ::testing::Test {
 protected:
  Result<Config> load(const std::string& text) {
    ConfigSources sources;
    sources.environment = {"HOME=" + dir_.path()};
    sources.file = dir_.write("config.toml", "[security.sandbox]\nbackend = \"none\"\n" + text);
    auto config = load_config(sources);
    if (config) config->workspace = dir_.path();
    return config;
  }

  Result<Toolbox> make(const std::string& text) {
    auto config = load(text);
    if (!config) return std::move(config).error();
    auto runtime = create_runtime(*config);
    if (!runtime) return std::move(runtime).error();
    return Toolbox::create(*config, std::move(*runtime));
  }

  TempDir dir_;
};

}  // namespace prx::test
