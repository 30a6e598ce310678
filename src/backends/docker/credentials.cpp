#include "backends/docker/credentials.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/base64.hpp"
#include "base/try.hpp"
#include "io/json.hpp"
#include "io/json_value.hpp"
#include "os/pipe.hpp"
#include "os/tool_process.hpp"

namespace prx::backends {
namespace {

/// A helper names a token instead of a user this way.
constexpr std::string_view kTokenUser = "<token>";

std::string encode_auth(const std::string& registry, const std::string& user, const std::string& secret) {
  auto auth = io::Json::object();
  if (user == kTokenUser) {
    auth.set("identitytoken", secret);
  } else {
    auth.set("username", user).set("password", secret);
  }
  auth.set("serveraddress", registry);
  return base::encode_base64(auth.text(), base::Base64::url);
}

Result<std::string> read_all(int fd, const io::Patience& patience) {
  constexpr std::size_t kMost = 64U << 10U;
  std::string text;
  std::array<char, 4096> part{};
  while (text.size() < kMost) {
    PRX_TRY(const auto size, io::read_some(fd, part, patience));
    if (size == 0) break;
    text.append(part.data(), size);
  }
  return text;
}

Error helper_error(const std::string& program, std::string detail, int error_number) {
  return {error_number == 0 ? ErrorKind::denied : ErrorKind::disconnected,
          "credentials",
          program,
          error_number,
          std::move(detail),
          "log in again (`docker login`)"};
}

Result<std::string> ask_helper(const std::string& name, const std::string& registry,
                               const io::Patience& patience) {
  const auto program = "docker-credential-" + name;
  if (name.find('/') != std::string::npos) return helper_error(program, "not the name of a helper", 0);
  PRX_TRY(auto ends, os::open_socket_pair(SOCK_STREAM));
  auto helper = os::ToolProcess::start({program, "get"}, ends.second, ends.second);
  if (!helper) {
    auto error = std::move(helper).error();
    error.step = "credentials";
    return error;
  }
  ends.second.reset();
  PRX_CHECK(io::write_all(ends.first.get(), registry, patience));
  ::shutdown(ends.first.get(), SHUT_WR);
  auto answer = read_all(ends.first.get(), patience);
  if (!answer) return helper_error(program, "it did not answer", answer.error().os_errno);
  PRX_CHECK(io::wait_for(helper->pidfd(), POLLIN, patience));
  if (helper->has_ended() && helper->exit_code() != 0) {
    // What a helper says where it has nothing (docker-credential-helpers, errCredentialsNotFound).
    if (answer->find("credentials not found") != std::string::npos) return std::string();
    return helper_error(program, "it failed: " + helper->complaint(), 0);
  }
  const auto found = io::JsonValue::parse_or_null(*answer);
  const auto user = found["Username"].text();
  return user.empty() ? std::string() : encode_auth(registry, user, found["Secret"].text());
}

std::string written_auth(const io::JsonValue& entry, const std::string& registry) {
  if (const auto token = entry["identitytoken"].text(); !token.empty()) {
    return encode_auth(registry, std::string(kTokenUser), token);
  }
  const auto pair = base::decode_base64(entry["auth"].text()).value_or("");
  const auto colon = pair.find(':');
  if (colon == std::string::npos) return {};
  return encode_auth(registry, pair.substr(0, colon), pair.substr(colon + 1));
}

}  // namespace

Result<std::string> find_registry_auth(const std::string& config_folder, const std::string& registry,
                                       const io::Patience& patience) {
  std::ifstream file(config_folder + "/config.json", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto config = io::JsonValue::parse_or_null(text);
  if (const auto helper = config["credHelpers"][registry].text(); !helper.empty()) {
    return ask_helper(helper, registry, patience);
  }
  if (const auto store = config["credsStore"].text(); !store.empty()) {
    PRX_TRY(auto auth, ask_helper(store, registry, patience));
    if (!auth.empty()) return auth;
  }
  return written_auth(config["auths"][registry], registry);
}

}  // namespace prx::backends
