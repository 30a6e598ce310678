#include "backends/native/native_settings.hpp"

#include <unistd.h>

#include <cerrno>

#include "backends/native/enforceable.hpp"
#include "base/try.hpp"
#include "core/environment.hpp"

namespace prx::backends {
namespace {

constexpr const char* kBash = "/bin/bash";
constexpr const char* kSh = "/bin/sh";

Result<std::string> choose_shell(const Config& config, std::vector<std::string>& warnings) {
  const auto& wanted = config.runtime.native.shell;
  if (!wanted.empty()) {
    if (::access(wanted.c_str(), X_OK) == 0) return wanted;
    return Error{
        ErrorKind::invalid_request,
        "shell",
        wanted,
        errno,
        "the configured shell cannot be executed",
        "correct runtime.native.shell (" + config.origin_of("runtime.native.shell").describe() + ")"};
  }
  if (::access(kBash, X_OK) == 0) return std::string(kBash);
  warnings.emplace_back("there is no /bin/bash: shell lines run in /bin/sh");
  return std::string(kSh);
}

}  // namespace

Result<core::Settings> make_native_settings(const Config& config, std::span<const std::string> host_env) {
  core::Settings settings;
  settings.backend = "native";
  PRX_CHECK(check_enforceable(config));
  PRX_TRY(settings.shell, choose_shell(config, settings.warnings));
  auto filtered = core::filter_environment(host_env, config.runtime.env_whitelist);
  settings.base_env = core::merge_environment(std::move(filtered.passed), config.runtime.native.env);
  settings.env_withheld = filtered.withheld;
  settings.default_timeout = config.runtime.default_timeout;
  for (const auto& [tool, timeout] : config.runtime.tool_timeouts)
    settings.tool_timeouts.emplace(tool, timeout);
  settings.max_output = config.runtime.max_output;
  settings.max_memory = config.security.resources.max_memory;
  settings.has_file_limit = config.security.resources.max_file_size.value != 0;
  return settings;
}

}  // namespace prx::backends
