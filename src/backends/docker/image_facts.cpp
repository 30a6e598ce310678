#include "backends/docker/image_facts.hpp"

#include <fmt/format.h>

#include "backends/docker/container_plan.hpp"
#include "core/environment.hpp"
#include "io/json.hpp"

namespace prx::backends {
namespace {

constexpr std::string_view kUser = "prx";

/// The name of the line whose third field is `id`; empty where there is none.
std::string name_of(std::string_view table, std::uint32_t id) {
  const auto wanted = std::to_string(id);
  while (!table.empty()) {
    const auto line = table.substr(0, table.find('\n'));
    table.remove_prefix(std::min(line.size() + 1, table.size()));
    const auto name = line.substr(0, line.find(':'));
    const auto password_end = line.find(':', name.size() + 1);
    if (password_end == std::string_view::npos) continue;
    const auto rest = line.substr(password_end + 1);
    if (rest.substr(0, rest.find(':')) == wanted) return std::string(name);
  }
  return {};
}

std::string with_line(std::string table, const std::string& line) {
  if (!table.empty() && !table.ends_with('\n')) table += '\n';
  return table + line + "\n";
}

}  // namespace

std::string encode_facts(const ImageFacts& facts) {
  auto value = io::Json::object();
  value.set("bash", facts.has_bash).set("passwd", facts.passwd).set("group", facts.group);
  return value.text();
}

ImageFacts decode_facts(const io::JsonValue& value) {
  return {value["bash"].boolean(), value["passwd"].text(), value["group"].text()};
}

IdentityFiles add_user(const ImageFacts& facts, std::uint32_t uid, std::uint32_t gid) {
  IdentityFiles files{facts.passwd, facts.group, name_of(facts.passwd, uid)};
  if (files.user.empty()) {
    files.user = kUser;
    files.passwd =
        with_line(std::move(files.passwd), fmt::format("{}:x:{}:{}::{}:/bin/sh", kUser, uid, gid, kHome));
  }
  if (name_of(facts.group, gid).empty()) {
    files.group = with_line(std::move(files.group), fmt::format("{}:x:{}:", kUser, gid));
  }
  return files;
}

std::vector<EnvVar> surroundings_of(const std::vector<std::string>& image_env, const std::string& user) {
  // As the daemon sets it for an image that sets none.
  std::vector<EnvVar> env{{"PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}};
  std::vector<EnvVar> own;
  for (const auto& entry : image_env) {
    const auto equals = entry.find('=');
    if (equals != std::string::npos) own.push_back({entry.substr(0, equals), entry.substr(equals + 1)});
  }
  own.push_back({"HOME", kHome});
  own.push_back({"USER", user});
  return core::merge_environment(std::move(env), own);
}

}  // namespace prx::backends
