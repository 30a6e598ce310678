#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <prx/result.hpp>

#include "base/fd.hpp"
#include "io/descriptor_io.hpp"

namespace prx::io {

struct HttpRequest {
  std::string method = "GET";
  std::string target;  ///< escaped
  std::string body{};
  std::string content_type = "application/json";  ///< of a body that is not empty
  std::vector<std::pair<std::string, std::string>> headers{};
};

struct HttpHead {
  unsigned status = 0;
  std::vector<std::pair<std::string, std::string>> headers{};

  /// Empty where there is none; names are compared without case.
  [[nodiscard]] std::string_view header(std::string_view name) const noexcept;
};

struct HttpResponse {
  HttpHead head;
  std::string body;
};

/// One HTTP/1.1 connection over a connected socket, one exchange at a time, on the calling thread. What comes is
/// bounded and never trusted. The library behind it stays in http.cpp.
///
/// Errors: those of io/descriptor_io.hpp; an answer that is none, or too long, is `disconnected` with errno
/// EBADMSG or EMSGSIZE. After an error the connection is of no more use.
class HttpConnection {
 public:
  /// `host` is the value of the Host header.
  HttpConnection(base::Fd socket, std::string host);
  ~HttpConnection();
  HttpConnection(HttpConnection&&) noexcept;
  HttpConnection& operator=(HttpConnection&&) noexcept;
  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  /// A request and its whole answer, of at most `max_body` bytes.
  [[nodiscard]] Result<HttpResponse> exchange(const HttpRequest& request, std::size_t max_body,
                                              const Patience& patience);
  /// A request and the head of its answer; the body is read piece by piece.
  [[nodiscard]] Result<HttpHead> open(const HttpRequest& request, const Patience& patience);
  /// The next piece of the body, empty at its end.
  [[nodiscard]] Result<std::string> read_piece(const Patience& patience);

  /// Whether another exchange may follow: the answer was read to its end, and both sides keep the connection.
  [[nodiscard]] bool is_reusable() const noexcept;
  /// Whether the other side has said nothing, not even the end, since.
  [[nodiscard]] bool is_quiet() const noexcept;
  /// The socket, with everything that came after the last head still in it.
  [[nodiscard]] base::Fd release() && noexcept;

 private:
  struct Answer;

  [[nodiscard]] Result<std::string> read_head(const Patience& patience) const;

  base::Fd socket_;
  std::string host_;
  std::unique_ptr<Answer> answer_;  // being read
};

/// Of a part of a path or a query: everything but letters, digits and -._~ escaped.
[[nodiscard]] std::string escape_url(std::string_view text);

}  // namespace prx::io
