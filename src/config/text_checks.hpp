#pragma once

#include <string_view>

/// Checks of strings: each returns what is wrong, worded to follow the quoted string, or nullptr. NUL bytes
/// are refused everywhere before these are asked.
namespace prx::config::checks {

[[nodiscard]] const char* not_empty(std::string_view text) noexcept;
[[nodiscard]] const char* name(std::string_view text) noexcept;             ///< of a tool, a group, a server
[[nodiscard]] const char* env_name(std::string_view text) noexcept;         ///< of an environment variable
[[nodiscard]] const char* absolute_path(std::string_view text) noexcept;    ///< on the host or in a container
[[nodiscard]] const char* path_below_root(std::string_view text) noexcept;  ///< absolute, and not "/"
[[nodiscard]] const char* workspace_path(std::string_view text) noexcept;   ///< relative, inside
[[nodiscard]] const char* image(std::string_view text) noexcept;            ///< of a container
[[nodiscard]] const char* docker_socket(std::string_view text) noexcept;
[[nodiscard]] const char* host(std::string_view text) noexcept;  ///< "name[:port]", "*.name", "[v6]:port"
[[nodiscard]] const char* web_url(std::string_view text) noexcept;
[[nodiscard]] const char* annotation(std::string_view text) noexcept;  ///< of a tool
[[nodiscard]] const char* transport(std::string_view text) noexcept;   ///< of an MCP server

}  // namespace prx::config::checks
