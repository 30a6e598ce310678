#include "audit/redactor.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace prx::audit {
namespace {

constexpr std::string_view kRedacted = "[redacted]";
// A shorter one would take words out of the middle of everything.
constexpr std::size_t kMinSecret = 6;
constexpr std::string_view kSeparators = " \t\r\n\"'`;|&()<>,{}[]";

std::string lower_letters(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (c >= 'A' && c <= 'Z') letters += static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) letters += c;
  }
  return letters;
}

/// Keys that say by their beginning what they are.
bool looks_like_key(std::string_view word) {
  constexpr std::array<std::string_view, 17> kBeginnings{
      "sk-",   "ghp_", "gho_", "ghu_", "ghs_",  "ghr_", "github_pat_", "glpat-", "xoxb-",
      "xoxp-", "AKIA", "ASIA", "AIza", "ya29.", "npm_", "pypi-",       "eyJ"};
  return word.size() >= 20 && std::any_of(kBeginnings.begin(), kBeginnings.end(),
                                          [&](std::string_view start) { return word.starts_with(start); });
}

/// scheme://user:password@host
std::string without_password(std::string word) {
  const auto scheme = word.find("://");
  if (scheme == std::string::npos) return word;
  const auto at = word.find('@', scheme);
  const auto slash = word.find('/', scheme + 3);
  if (at == std::string::npos || at > slash) return word;
  return word.substr(0, scheme + 3) + std::string(kRedacted) + word.substr(at);
}

bool announces_secret(std::string_view word) {
  return word == "Bearer" || word == "Basic";
}

/// Whether what stands behind a name makes it that of a value: `"token": …`, `token = …`
bool is_followed_by_value(std::string_view rest) {
  const auto at = rest.find_first_not_of(" \"'\\");
  return at != std::string_view::npos && (rest[at] == ':' || rest[at] == '=');
}

/// One word of a text, and whether the next one is a secret.
std::string redacted_word(std::string_view word, std::string_view rest, bool& is_secret) {
  if (word == ":" || word == "=" || word == "\\") return std::string(word);
  if (is_secret && !announces_secret(word)) {
    is_secret = false;
    return std::string(kRedacted);
  }
  const auto split = word.find_first_of("=:");
  const bool has_value = split != std::string_view::npos && split + 1 < word.size();
  const bool names_secret = Redactor::is_secret_name(word.substr(0, split));
  if (names_secret && has_value) return std::string(word.substr(0, split + 1)) + std::string(kRedacted);
  if (looks_like_key(word) || (has_value && looks_like_key(word.substr(split + 1))))
    return std::string(kRedacted);
  const bool is_option = word.front() == '-' || split != std::string_view::npos;
  is_secret = announces_secret(word) || (names_secret && (is_option || is_followed_by_value(rest)));
  return without_password(std::string(word));
}

}  // namespace

bool Redactor::is_secret_name(std::string_view name) {
  constexpr std::array<std::string_view, 14> kParts{
      "password",   "passwd",     "passphrase",    "secret",     "token",  "apikey",     "accesskey",
      "privatekey", "credential", "authorization", "sessionkey", "cookie", "signingkey", "encryptionkey"};
  const auto letters = lower_letters(name);
  return std::any_of(kParts.begin(), kParts.end(),
                     [&](std::string_view part) { return letters.find(part) != std::string::npos; });
}

Redactor::Redactor(const std::vector<std::string>& environment) {
  for (const auto& variable : environment) {
    const auto equals = variable.find('=');
    if (equals != std::string::npos)
      add(std::string_view(variable).substr(0, equals), std::string_view(variable).substr(equals + 1));
  }
}

Redactor Redactor::with(const std::vector<EnvVar>& variables) const {
  Redactor more = *this;
  for (const auto& variable : variables) more.add(variable.name, variable.value);
  return more;
}

Redactor Redactor::with(const io::JsonValue& arguments) const {
  Redactor more = *this;
  more.add_members(arguments);
  return more;
}

void Redactor::add_members(const io::JsonValue& value) {
  for (const auto& [name, member] : value.members()) {
    if (member.is_text()) add(name, member.text());
    add_members(member);
  }
  for (const auto& item : value.items()) add_members(item);
}

void Redactor::add(std::string_view name, std::string_view value) {
  if (value.size() >= kMinSecret && is_secret_name(name)) secrets_.emplace_back(value);
}

std::string Redactor::without_known(std::string text) const {
  for (const auto& secret : secrets_) {
    for (auto at = text.find(secret); at != std::string::npos;
         at = text.find(secret, at + kRedacted.size())) {
      text.replace(at, secret.size(), kRedacted);
    }
  }
  return text;
}

std::string Redactor::text(std::string_view original) const {
  const std::string text = without_known(std::string(original));
  std::string result;
  bool is_secret = false;  // the next word: after "--token", "Bearer", "password":
  for (std::size_t at = 0; at < text.size();) {
    const auto end = std::min(text.find_first_of(kSeparators, at), text.size());
    const auto word = std::string_view(text).substr(at, end - at);
    if (!word.empty()) result += redacted_word(word, std::string_view(text).substr(end), is_secret);
    if (end < text.size()) result += text[end];
    at = end + 1;
  }
  return result;
}

io::Json Redactor::json(const io::JsonValue& value) const {
  if (value.is_text()) return io::Json(text(value.text()));
  if (value.is_array()) {
    auto array = io::Json::array();
    for (const auto& item : value.items()) array.push(json(item));
    return array;
  }
  if (!value.is_object()) return io::Json(value);
  auto object = io::Json::object();
  for (const auto& [name, member] : value.members()) {
    object.set(without_known(name), is_secret_name(name) ? io::Json(kRedacted) : json(member));
  }
  return object;
}

}  // namespace prx::audit
