#include "io/http.hpp"

#include <fmt/format.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/beast/core/string.hpp>
#include <boost/beast/http/buffer_body.hpp>
#include <boost/beast/http/parser.hpp>
#include <cerrno>
#include <optional>

#include "base/try.hpp"

namespace prx::io {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;

constexpr std::size_t kMaxHead = 16U << 10U;
constexpr std::size_t kPiece = 32U << 10U;
constexpr std::string_view kEndOfHead = "\r\n\r\n";

Error bad_answer(int error_number) {
  return {ErrorKind::disconnected, "http", {}, error_number, "the answer is not HTTP as it should be", {}};
}

/// Neither body nor an upgrade is decided here: the caller knows what it asked for.
std::string encode(const HttpRequest& request, std::string_view host) {
  auto text =
      fmt::format("{} {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: prx\r\n", request.method, request.target, host);
  for (const auto& [name, value] : request.headers) text += fmt::format("{}: {}\r\n", name, value);
  if (!request.body.empty()) text += fmt::format("Content-Type: {}\r\n", request.content_type);
  if (!request.body.empty() || request.method != "GET") {
    text += fmt::format("Content-Length: {}\r\n", request.body.size());
  }
  return text + "\r\n" + request.body;
}

}  // namespace

/// An answer whose head was read.
struct HttpConnection::Answer {
  http::response_parser<http::buffer_body> parser;
  std::array<char, kPiece> received;
  std::size_t begin = 0;  // of what is not parsed yet
  std::size_t end = 0;
  bool ended = false;
};

std::string_view HttpHead::header(std::string_view name) const noexcept {
  for (const auto& [key, value] : headers) {
    if (beast::iequals({key.data(), key.size()}, {name.data(), name.size()})) return value;
  }
  return {};
}

HttpConnection::HttpConnection(base::Fd socket, std::string host)
    : socket_(std::move(socket)), host_(std::move(host)) {}
HttpConnection::~HttpConnection() = default;
HttpConnection::HttpConnection(HttpConnection&&) noexcept = default;
HttpConnection& HttpConnection::operator=(HttpConnection&&) noexcept = default;

Result<HttpResponse> HttpConnection::exchange(const HttpRequest& request, std::size_t max_body,
                                              const Patience& patience) {
  HttpResponse response;
  PRX_TRY(response.head, open(request, patience));
  for (;;) {
    PRX_TRY(const auto piece, read_piece(patience));
    if (piece.empty()) return response;
    if (max_body - response.body.size() < piece.size()) return bad_answer(EMSGSIZE);
    response.body += piece;
  }
}

Result<HttpHead> HttpConnection::open(const HttpRequest& request, const Patience& patience) {
  answer_ = std::make_unique<Answer>();
  PRX_CHECK(write_all(socket_.get(), encode(request, host_), patience));
  PRX_TRY(const auto text, read_head(patience));
  auto& parser = answer_->parser;
  parser.header_limit(kMaxHead);
  parser.body_limit(boost::none);  // whoever reads the body bounds it
  parser.skip(request.method == "HEAD");
  beast::error_code error;
  const auto used = parser.put(boost::asio::buffer(text), error);
  if (error == http::error::need_buffer) error = {};
  if (error || used != text.size() || !parser.is_header_done()) return bad_answer(EBADMSG);
  const auto& message = parser.get();
  HttpHead head{.status = message.result_int()};
  for (const auto& field : message) {
    head.headers.emplace_back(std::string(field.name_string()), std::string(field.value()));
  }
  return head;
}

/// Exactly the head: what comes behind it may be a stream of its own, and stays in the socket.
Result<std::string> HttpConnection::read_head(const Patience& patience) const {
  std::string head;
  std::array<char, 4096> seen{};
  while (head.size() < kMaxHead) {
    PRX_TRY(const auto size, peek_some(socket_.get(), seen, patience));
    if (size == 0) return Error{ErrorKind::disconnected, "http", {}, ECONNABORTED, {}, {}};
    const auto before = head.size();
    head.append(seen.data(), size);
    const auto end = head.find(kEndOfHead, before < 3 ? 0 : before - 3);
    const auto complete = end != std::string::npos;
    if (complete) head.resize(end + kEndOfHead.size());
    PRX_CHECK(read_some(socket_.get(), std::span(seen).first(head.size() - before), patience));
    if (complete) return head;
  }
  return bad_answer(EMSGSIZE);
}

Result<std::string> HttpConnection::read_piece(const Patience& patience) {
  auto& answer = *answer_;
  auto& parser = answer.parser;
  std::string piece(kPiece, '\0');
  while (!parser.is_done()) {
    if (answer.begin == answer.end) {
      PRX_TRY(answer.end, read_some(socket_.get(), answer.received, patience));
      answer.begin = 0;
    }
    auto& body = parser.get().body();
    body.data = piece.data();
    body.size = piece.size();
    body.more = true;
    beast::error_code error;
    if (answer.end == 0) {
      answer.ended = true;
      parser.put_eof(error);
    } else {
      answer.begin += parser.put(
          boost::asio::buffer(answer.received.data() + answer.begin, answer.end - answer.begin), error);
    }
    if (error && error != http::error::need_buffer && error != http::error::need_more)
      return bad_answer(EBADMSG);
    if (const auto size = piece.size() - body.size; size > 0) {
      piece.resize(size);
      return piece;
    }
    // A part of a chunk's own head that is not complete stays for the next read.
    if (error == http::error::need_more && answer.begin < answer.end) {
      std::copy(answer.received.begin() + static_cast<std::ptrdiff_t>(answer.begin),
                answer.received.begin() + static_cast<std::ptrdiff_t>(answer.end), answer.received.begin());
      answer.end -= answer.begin;
      answer.begin = 0;
      if (answer.end == answer.received.size()) return bad_answer(EMSGSIZE);
      PRX_TRY(const auto more,
              read_some(socket_.get(), std::span(answer.received).subspan(answer.end), patience));
      if (more == 0) return bad_answer(EBADMSG);
      answer.end += more;
    }
  }
  return std::string();
}

bool HttpConnection::is_reusable() const noexcept {
  return answer_ && !answer_->ended && answer_->parser.is_done() && answer_->parser.keep_alive() &&
         answer_->begin == answer_->end;
}

bool HttpConnection::is_quiet() const noexcept {
  char byte = 0;
  return ::recv(socket_.get(), &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && (errno == EAGAIN || errno == EINTR);
}

base::Fd HttpConnection::release() && noexcept {
  return std::move(socket_);
}

std::string escape_url(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~").find(c) != std::string_view::npos;
    if (plain) {
      escaped += c;
    } else {
      escaped += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return escaped;
}

}  // namespace prx::io
