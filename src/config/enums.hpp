#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include <prx/config.hpp>

namespace prx::config {

// The words of each enumeration, in the order of its enumerators.
inline constexpr std::array<std::string_view, 4> kBackendWords{"auto", "native", "docker", "wasm"};
inline constexpr std::array<std::string_view, 7> kSandboxWords{
    "auto", "namespaces", "landlock", "bubblewrap", "firejail", "docker", "none"};
inline constexpr std::array<std::string_view, 3> kDockerNetworkWords{"none", "bridge", "host"};
inline constexpr std::array<std::string_view, 2> kWasmEngineWords{"wasmtime", "wasmer"};
inline constexpr std::array<std::string_view, 3> kToolRuleWords{"allow", "deny", "supervised"};
inline constexpr std::array<std::string_view, 2> kToolInputWords{"none", "json"};

/// A tool and a server name the backend they need, so "auto" is not among their words.
inline constexpr std::span<const std::string_view> kFixedBackendWords =
    std::span<const std::string_view>(kBackendWords).subspan(1);

[[nodiscard]] constexpr std::span<const std::string_view> words_of(BackendChoice) {
  return kBackendWords;
}
[[nodiscard]] constexpr std::span<const std::string_view> words_of(SandboxChoice) {
  return kSandboxWords;
}
[[nodiscard]] constexpr std::span<const std::string_view> words_of(DockerNetwork) {
  return kDockerNetworkWords;
}
[[nodiscard]] constexpr std::span<const std::string_view> words_of(WasmEngine) {
  return kWasmEngineWords;
}
[[nodiscard]] constexpr std::span<const std::string_view> words_of(ToolRule) {
  return kToolRuleWords;
}
[[nodiscard]] constexpr std::span<const std::string_view> words_of(ToolInput) {
  return kToolInputWords;
}

template <class Enum>
[[nodiscard]] std::optional<Enum> from_word(std::string_view word) {
  const auto words = words_of(Enum{});
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return static_cast<Enum>(i);
  }
  return std::nullopt;
}

}  // namespace prx::config
