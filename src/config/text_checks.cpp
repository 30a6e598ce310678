#include "config/text_checks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>

namespace prx::config::checks {

namespace {

bool is_blank_or_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte <= 0x20 || byte == 0x7F;
}

bool is_host_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_';
}

bool is_v6_character(char c) {
  return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9') || c == ':' || c == '.';
}

bool has_blank_or_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), is_blank_or_control);
}

bool has_parent_part(std::string_view path) {
  while (!path.empty()) {
    const auto slash = std::min(path.find('/'), path.size());
    if (path.substr(0, slash) == "..") return true;
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return false;
}

const char* port(std::string_view text) {
  std::uint16_t number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || rest != text.data() + text.size() || number == 0) {
    return "has no port of 1 to 65535 after the ':'";
  }
  return nullptr;
}

const char* v6_host(std::string_view text) {
  const auto end = text.find(']');
  if (end == std::string_view::npos) return "has no ']'";
  const auto address = text.substr(1, end - 1);
  if (address.size() < 2 || !std::all_of(address.begin(), address.end(), is_v6_character)) {
    return "is not an IPv6 address in brackets";
  }
  const auto rest = text.substr(end + 1);
  if (rest.empty()) return nullptr;
  return rest.front() == ':' ? port(rest.substr(1)) : "has something other than a port after the ']'";
}

}  // namespace

const char* not_empty(std::string_view text) noexcept {
  return text.empty() ? "is empty" : nullptr;
}

const char* name(std::string_view text) noexcept {
  if (text.empty()) return "is empty";
  const auto is_control = [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte == 0x7F;
  };
  return std::any_of(text.begin(), text.end(), is_control) ? "has a control character" : nullptr;
}

const char* env_name(std::string_view text) noexcept {
  if (text.empty()) return "is empty";
  return text.find('=') != std::string_view::npos ? "has a '=', which no name of a variable can have"
                                                  : nullptr;
}

const char* absolute_path(std::string_view text) noexcept {
  if (text.empty()) return "is empty";
  return text.front() == '/' ? nullptr : "is not an absolute path";
}

const char* path_below_root(std::string_view text) noexcept {
  if (const char* wrong = absolute_path(text)) return wrong;
  if (text.find_first_not_of('/') == std::string_view::npos) return "is the root itself";
  return has_parent_part(text) ? "has a \"..\"" : nullptr;
}

const char* workspace_path(std::string_view text) noexcept {
  if (text.empty()) return "is empty";
  if (text.front() == '/') return "is absolute; it is looked up in the workspace";
  return has_parent_part(text) ? "leads out of the workspace" : nullptr;
}

const char* image(std::string_view text) noexcept {
  if (text.empty()) return "is empty";
  if (has_blank_or_control(text)) return "has a blank in it";
  return text.front() == '-' ? "begins with a '-'" : nullptr;
}

const char* docker_socket(std::string_view text) noexcept {
  if (text.empty()) return "is empty";
  if (text.front() == '/') return nullptr;
  for (const std::string_view scheme : {"unix:///", "tcp://", "ssh://"}) {
    if (text.starts_with(scheme) && text.size() > scheme.size()) return nullptr;
  }
  return "is neither an absolute path nor a unix:///, tcp:// or ssh:// address";
}

const char* host(std::string_view text) noexcept {
  if (text.empty()) return "is empty";
  if (text.find("://") != std::string_view::npos) return "is a URL; only the host and its port are wanted";
  if (text.front() == '[') return v6_host(text);
  const auto colon = std::min(text.find(':'), text.size());
  auto domain = text.substr(0, colon);
  if (domain.starts_with("*.")) domain.remove_prefix(2);
  if (domain.empty()) return "has no host name";
  if (!std::all_of(domain.begin(), domain.end(), is_host_character)) {
    return "is not a host: a name, \"*.name\" or an address is wanted";
  }
  return colon == text.size() ? nullptr : port(text.substr(colon + 1));
}

const char* web_url(std::string_view text) noexcept {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (text.starts_with(scheme) && text.size() > scheme.size() && !has_blank_or_control(text))
      return nullptr;
  }
  return "is not an http:// or https:// URL";
}

const char* annotation(std::string_view text) noexcept {
  constexpr std::array<std::string_view, 4> kKnown{"read_only", "destructive", "idempotent", "open_world"};
  const bool is_known = std::find(kKnown.begin(), kKnown.end(), text) != kKnown.end();
  return is_known ? nullptr : "is not read_only, destructive, idempotent or open_world";
}

const char* transport(std::string_view text) noexcept {
  for (const std::string_view known : {"stdio", "http", "sse"}) {
    if (text == known) return nullptr;
  }
  return "is not \"stdio\", \"http\" or \"sse\"";
}

}  // namespace prx::config::checks
