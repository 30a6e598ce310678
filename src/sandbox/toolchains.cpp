#include "sandbox/toolchains.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "sandbox/paths.hpp"

namespace prx::sandbox {
namespace {

/// A tool's root below the home directory: what of it is shown when PATH leads into it. Its other folders
/// (registries, credentials, histories) are not.
struct Toolchain {
  std::string_view root;
  std::array<std::string_view, 3> shown;  // below the root; "" stands for all of it
};

constexpr std::array<Toolchain, 14> kToolchains{{
    {".nvm", {"versions", "alias", ""}},
    {".pyenv", {"versions", "shims", "libexec"}},
    {".local/share/mise", {"installs", "shims", ""}},
    {".local/share/uv", {"python", "tools", ""}},
    {".cargo", {"bin", "env", ""}},
    {".rustup", {"toolchains", "settings.toml", ""}},
    {".volta", {"bin", "tools", ""}},
    {".rbenv", {"versions", "shims", "libexec"}},
    {".asdf", {"installs", "shims", "bin"}},
    {".sdkman/candidates", {".", "", ""}},
    {".bun", {"bin", "install", ""}},
    {".deno", {"bin", "", ""}},
    {".local/bin", {".", "", ""}},
    {"go", {"bin", "", ""}},
}};

/// What a tool needs that PATH does not lead to: rustup's proxies in .cargo/bin run what is in .rustup.
constexpr std::array<std::array<std::string_view, 2>, 2> kCompanions{
    {{".cargo", ".rustup"}, {".local/bin", ".local/share/uv"}}};

void grant(const std::string& path, const HostView& host, std::vector<Grant>& grants) {
  const auto real = host.resolve(path);
  if (real.empty()) return;
  const bool there =
      std::any_of(grants.begin(), grants.end(), [&](const Grant& known) { return known.path == real; });
  const auto info = host.look(real);
  if (there || !info) return;
  grants.push_back({real, *info, false, "a tool in PATH"});
}

void grant_toolchain(const Toolchain& tool, const std::string& home, const HostView& host,
                     std::vector<Grant>& grants) {
  for (const auto part : tool.shown) {
    if (part.empty()) continue;
    const auto root = join(home, tool.root);
    grant(part == "." ? root : join(root, part), host, grants);
  }
}

void grant_by_root(std::string_view root, const std::string& home, const HostView& host,
                   std::vector<Grant>& grants) {
  for (const auto& tool : kToolchains) {
    if (tool.root == root) grant_toolchain(tool, home, host, grants);
  }
}

}  // namespace

std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> entries;
  while (!path.empty()) {
    const auto end = path.find(':');
    const auto entry = path.substr(0, end);
    if (entry.starts_with('/'))
      entries.emplace_back(entry);  // a relative one is whatever the command makes it
    if (end == std::string_view::npos) break;
    path.remove_prefix(end + 1);
  }
  return entries;
}

std::vector<Grant> find_toolchains(const Caller& caller, const HostView& host) {
  std::vector<Grant> grants;
  if (caller.home.empty() || caller.home == "/") return grants;
  for (const auto& entry : split_path(caller.path)) {
    for (const auto& tool : kToolchains) {
      if (!is_within(entry, join(caller.home, tool.root))) continue;
      grant_toolchain(tool, caller.home, host, grants);
      for (const auto& [root, companion] : kCompanions) {
        if (root == tool.root) grant_by_root(companion, caller.home, host, grants);
      }
    }
  }
  return grants;
}

}  // namespace prx::sandbox
