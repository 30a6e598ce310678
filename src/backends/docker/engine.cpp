#include "backends/docker/engine.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <utility>

#include "base/try.hpp"

namespace prx::backends {
namespace {

constexpr std::size_t kMostIdle = 8;
constexpr std::size_t kMostBody = 16U << 20U;
constexpr const char* kHost = "docker";  // the daemon does not look at it

EngineReply to_reply(io::HttpResponse response) {
  EngineReply reply{.status = response.head.status};
  if (auto body = io::JsonValue::parse(response.body)) reply.body = std::move(body).value();
  if (!reply.ok()) reply.message = reply.body["message"].text(response.body);
  while (reply.message.ends_with('\n')) reply.message.pop_back();
  return reply;
}

ErrorKind kind_of(unsigned status) {
  switch (status) {
    case 400:
      return ErrorKind::invalid_request;
    case 401:
    case 403:
      return ErrorKind::denied;
    case 404:
      return ErrorKind::not_found;
    default:
      return ErrorKind::setup_failed;
  }
}

}  // namespace

std::optional<ApiVersion> parse_api_version(std::string_view text) {
  ApiVersion version;
  const auto* end = text.data() + text.size();
  const auto major = std::from_chars(text.data(), end, version.major);
  if (major.ec != std::errc() || major.ptr == end || *major.ptr != '.') return std::nullopt;
  const auto minor = std::from_chars(major.ptr + 1, end, version.minor);
  if (minor.ec != std::errc() || minor.ptr != end) return std::nullopt;
  return version;
}

Result<ApiVersion> Engine::agree(const io::Patience& patience) {
  {
    const std::scoped_lock lock(mutex_);
    if (version_ && !suspect_) return *version_;
  }
  auto version = negotiate(patience.at_most(kProbeTime));
  const std::scoped_lock lock(mutex_);
  suspect_ = !version;
  if (version) version_ = *version;
  return version;
}

Result<ApiVersion> Engine::negotiate(const io::Patience& patience) {
  PRX_TRY(const auto response, exchange({.target = "/_ping"}, patience));
  const auto text = response.head.header("Api-Version");
  const auto theirs = parse_api_version(text);
  const auto unfit = [&](std::string detail, std::string hint) {
    return Error{ErrorKind::unavailable, "docker", endpoint().address, 0, std::move(detail), std::move(hint)};
  };
  if (response.head.status != 200 || !theirs) {
    return unfit(fmt::format("what listens there is no docker daemon, or one in trouble (it answered {})",
                             response.head.status),
                 "name the daemon's own socket with runtime.docker.socket");
  }
  if (*theirs < kOldestApi) {
    return unfit(fmt::format("the daemon speaks version {} of the API, and prx needs {}.{} or newer", text,
                             kOldestApi.major, kOldestApi.minor),
                 "upgrade Docker to 19.03 or newer");
  }
  return std::min(*theirs, kNewestApi);
}

Result<std::string> Engine::versioned(std::string_view path, const io::Patience& patience) {
  PRX_TRY(const auto version, agree(patience));
  return fmt::format("/v{}.{}{}", version.major, version.minor, path);
}

Result<EngineReply> Engine::call(std::string_view method, std::string_view path, const io::Patience& patience,
                                 const io::Json* body) {
  io::HttpRequest request{.method = std::string(method)};
  PRX_TRY(request.target, versioned(path, patience));
  if (body != nullptr) request.body = body->text();
  PRX_TRY(auto response, exchange(request, patience));
  return to_reply(std::move(response));
}

Result<io::HttpResponse> Engine::transfer(const io::HttpRequest& wanted, const io::Patience& patience) {
  auto request = wanted;
  PRX_TRY(request.target, versioned(wanted.target, patience));
  return exchange(request, patience);
}

Result<io::HttpResponse> Engine::exchange(const io::HttpRequest& request, const io::Patience& patience) {
  for (;;) {
    bool used = false;
    PRX_TRY(auto connection, take_connection(patience, used));
    auto response = connection.exchange(request, kMostBody, patience);
    if (response) {
      give_back(std::move(connection));
      return response;
    }
    // The daemon may have closed it in the moment that it was taken; what it then had not read it did not do.
    const int error = response.error().os_errno;
    if (used && (error == EPIPE || error == ECONNRESET)) continue;
    return explain(std::move(response).error());
  }
}

Result<io::HttpConnection> Engine::take_connection(const io::Patience& patience, bool& used) {
  {
    const std::scoped_lock lock(mutex_);
    while (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      used = true;
      if (connection.is_quiet()) return connection;
    }
  }
  used = false;
  auto socket = connector_->connect(patience);
  if (!socket) return explain(std::move(socket).error());
  return io::HttpConnection(std::move(socket).value(), kHost);
}

void Engine::give_back(io::HttpConnection connection) {
  if (!connection.is_reusable()) return;
  const std::scoped_lock lock(mutex_);
  if (idle_.size() < kMostIdle) idle_.push_back(std::move(connection));
}

Result<Engine::Stream> Engine::open(const io::HttpRequest& wanted, const io::Patience& patience) {
  auto request = wanted;
  PRX_TRY(request.target, versioned(wanted.target, patience));
  PRX_TRY(auto socket, connector_->connect(patience));
  io::HttpConnection connection(std::move(socket), kHost);
  auto head = connection.open(request, patience);
  if (!head) return explain(std::move(head).error());
  if (head->status == 101 || (head->status >= 200 && head->status < 300))
    return Stream{std::move(connection), {}};
  io::HttpResponse response{std::move(head).value(), {}};
  for (;;) {
    auto piece = connection.read_piece(patience);
    if (!piece) return explain(std::move(piece).error());
    if (piece->empty() || response.body.size() > kMostBody) break;
    response.body += *piece;
  }
  return Stream{std::nullopt, to_reply(std::move(response))};
}

/// Without a body, which could end as the container's stdin. `detachKeys` of a stream without terminal mean
/// nothing, and are not sent.
Result<base::Fd> Engine::attach(const std::string& container, const io::Patience& patience) {
  const io::HttpRequest request{
      .method = "POST",
      .target = "/containers/" + container + "/attach?stream=1&stdin=1&stdout=1&stderr=1",
      .headers = {{"Connection", "Upgrade"}, {"Upgrade", "tcp"}}};
  PRX_TRY(auto stream, open(request, patience));
  if (!stream.connection) return refusal_error(stream.refusal, "attach");
  return std::move(*stream.connection).release();
}

Error Engine::refusal_error(const EngineReply& reply, std::string subject) const {
  return {kind_of(reply.status), "docker", std::move(subject), 0, reply.message, {}};
}

Error Engine::explain(Error error) {
  if (error.step == "docker" || error.step == "tls" || error.step == "tool") return error;
  error.step = "docker";
  error.subject = endpoint().address;
  if (error.os_errno == ECANCELED) {
    error.detail = "it was cancelled";
    return error;
  }
  if (const auto complaint = connector_->complaint(); !complaint.empty()) {
    error.kind = ErrorKind::unavailable;
    error.detail = "the connection failed: " + complaint;
    return error;
  }
  if (error.os_errno == ETIMEDOUT) {
    const std::scoped_lock lock(mutex_);
    suspect_ = true;
    idle_.clear();
    error.kind = ErrorKind::unavailable;
    error.detail = "the docker daemon did not answer in time";
    error.hint = "see whether it hangs (`docker info`), restart it, or set runtime.backend = \"native\"";
  } else if (error.detail.empty() || error.os_errno == ECONNRESET) {
    error.detail = "the docker daemon went away";
    error.hint = "see whether it was restarted, and try again";
  }
  return error;
}

}  // namespace prx::backends
