#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <prx/result.hpp>

#include "backends/docker/connector.hpp"
#include "io/http.hpp"
#include "io/json.hpp"
#include "io/json_value.hpp"

namespace prx::backends {

/// A version of the Engine API: 1.41 is {1, 41}.
struct ApiVersion {
  unsigned major = 0;
  unsigned minor = 0;
  friend auto operator<=>(const ApiVersion&, const ApiVersion&) = default;
};
[[nodiscard]] std::optional<ApiVersion> parse_api_version(std::string_view text);

inline constexpr ApiVersion kOldestApi{1, 40};
inline constexpr ApiVersion kNewestApi{1, 56};

/// An answer of the daemon, which may be a refusal.
struct EngineReply {
  unsigned status = 0;
  io::JsonValue body;   ///< null where it is not JSON
  std::string message;  ///< of a refusal: what the daemon said

  [[nodiscard]] bool ok() const noexcept { return status >= 200 && status < 300; }
};

/// The daemon: calls of its API, each with a deadline. Thread-safe; every call waits on the calling thread.
///
/// Errors of step "docker", beside the connector's: unavailable (it does not answer in time, or speaks no
/// version of the API that prx does), disconnected (it went away, or the call was cancelled: errno
/// ECANCELED). A refusal is no error here.
class Engine {
 public:
  static constexpr std::chrono::milliseconds kProbeTime{2'000};
  static constexpr std::chrono::milliseconds kCallTime{10'000};
  static constexpr std::chrono::milliseconds kStartTime{
      60'000};  ///< create and start: images, disks, busy hosts

  explicit Engine(std::unique_ptr<Connector> connector) : connector_(std::move(connector)) {}

  [[nodiscard]] const Endpoint& endpoint() const noexcept { return connector_->endpoint(); }

  /// Agrees on a version, once; again after the daemon failed to answer, so that one that hangs costs the
  /// next caller no more than kProbeTime.
  [[nodiscard]] Result<ApiVersion> agree(const io::Patience& patience);

  /// `path` with its query, without the version.
  [[nodiscard]] Result<EngineReply> call(std::string_view method, std::string_view path,
                                         const io::Patience& patience, const io::Json* body = nullptr);

  /// The same for what is not JSON.
  [[nodiscard]] Result<io::HttpResponse> transfer(const io::HttpRequest& request,
                                                  const io::Patience& patience);

  /// A call whose answer is read piece by piece, on a connection of its own. A refusal comes as `refusal`.
  struct Stream {
    std::optional<io::HttpConnection> connection{};
    EngineReply refusal{};
  };
  [[nodiscard]] Result<Stream> open(const io::HttpRequest& request, const io::Patience& patience);

  /// Attaches to a container's streams: what it reads from and what it prints, until either end is closed.
  [[nodiscard]] Result<base::Fd> attach(const std::string& container, const io::Patience& patience);

  /// "docker: what: message", of the kind that the status and the step stand for.
  [[nodiscard]] Error refusal_error(const EngineReply& reply, std::string subject) const;

 private:
  [[nodiscard]] Result<io::HttpConnection> take_connection(const io::Patience& patience, bool& used);
  void give_back(io::HttpConnection connection);
  [[nodiscard]] Result<io::HttpResponse> exchange(const io::HttpRequest& request,
                                                  const io::Patience& patience);
  [[nodiscard]] Result<ApiVersion> negotiate(const io::Patience& patience);
  [[nodiscard]] Result<std::string> versioned(std::string_view path, const io::Patience& patience);
  [[nodiscard]] Error explain(Error error);

  const std::unique_ptr<Connector> connector_;
  std::mutex mutex_;
  std::optional<ApiVersion> version_;     // guarded by mutex_
  bool suspect_ = false;                  // guarded by mutex_: it did not answer last time
  std::vector<io::HttpConnection> idle_;  // guarded by mutex_
};

}  // namespace prx::backends
