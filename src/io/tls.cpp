#include "io/tls.hpp"

#include <arpa/inet.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <memory>
#include <utility>

#include "base/try.hpp"
#include "io/tls_library.hpp"
#include "os/pipe.hpp"
#include "os/signal_mask.hpp"

namespace prx::io {
namespace {

// From OpenSSL's headers.
constexpr int kVerifyNone = 0;
constexpr int kVerifyPeer = 1;
constexpr int kPem = 1;
constexpr int kSetMinVersion = 123;
constexpr long kTls12 = 0x0303;
constexpr int kSetServerName = 55;
constexpr int kWantRead = 2;
constexpr int kWantWrite = 3;

struct ContextFree {
  const TlsLibrary* tls;
  void operator()(ssl_ctx_st* context) const { tls->context_free(context); }
};
struct ConnectionFree {
  const TlsLibrary* tls;
  void operator()(ssl_st* connection) const { tls->connection_free(connection); }
};
using Context = std::unique_ptr<ssl_ctx_st, ContextFree>;
using Connection = std::unique_ptr<ssl_st, ConnectionFree>;

Error tls_error(const TlsLibrary& tls, ErrorKind kind, std::string subject) {
  std::array<char, 256> text{};
  if (const auto code = tls.last_error(); code != 0) tls.error_text(code, text.data(), text.size());
  tls.clear_errors();
  return {kind, "tls", std::move(subject), 0, text[0] == '\0' ? "the connection was closed" : text.data(),
          {}};
}

Result<Context> make_context(const TlsLibrary& tls, const TlsSettings& settings) {
  tls.clear_errors();
  Context context(tls.context_new(tls.client_method()), ContextFree{&tls});
  if (!context) return os::system_error("tls", ENOMEM);
  tls.context_control(context.get(), kSetMinVersion, kTls12, nullptr);
  tls.context_set_verify(context.get(), settings.verify_peer ? kVerifyPeer : kVerifyNone, nullptr);
  const auto refuse = [&](const std::string& file) {
    return tls_error(tls, ErrorKind::invalid_request, file);
  };
  if (settings.ca_file.empty()) {
    tls.set_default_verify_paths(context.get());
  } else if (tls.load_verify_locations(context.get(), settings.ca_file.c_str(), nullptr) != 1) {
    return refuse(settings.ca_file);
  }
  if (settings.cert_file.empty()) return context;
  if (tls.use_certificate_chain_file(context.get(), settings.cert_file.c_str()) != 1)
    return refuse(settings.cert_file);
  if (tls.use_private_key_file(context.get(), settings.key_file.c_str(), kPem) != 1)
    return refuse(settings.key_file);
  return context;
}

bool is_address(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return ::inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         ::inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

/// Whom the certificate must be for.
void set_peer(const TlsLibrary& tls, ssl_st* connection, const std::string& host) {
  if (is_address(host)) {
    tls.set_ip(tls.verify_parameters(connection), host.c_str());
    return;
  }
  tls.set_host(connection, host.c_str());
  tls.control(connection, kSetServerName, 0, const_cast<char*>(host.c_str()));
}

Result<void> shake_hands(const TlsLibrary& tls, ssl_st* connection, int socket, const std::string& host,
                         const Patience& patience) {
  const os::RaisedSignalDropped no_sigpipe(SIGPIPE);
  for (;;) {
    const int result = tls.connect(connection);
    if (result == 1) return {};
    const int want = tls.get_error(connection, result);
    if (want == kWantRead || want == kWantWrite) {
      PRX_CHECK(wait_for(socket, want == kWantRead ? POLLIN : POLLOUT, patience));
      continue;
    }
    const long verdict = tls.verify_result(connection);
    if (verdict == 0) return tls_error(tls, ErrorKind::disconnected, host);
    tls.clear_errors();
    return Error{ErrorKind::denied,
                 "tls",
                 host,
                 0,
                 std::string("the certificate is not accepted: ") + tls.verify_text(verdict),
                 "give the authority that signed it (ca.pem), and the name that it is for"};
  }
}

/// Moves bytes between the two sides until one of them is closed. Nothing here blocks but the poll.
class Tunnel {
 public:
  Tunnel(const TlsLibrary& tls, Context context, Connection connection, base::Fd socket, base::Fd plain,
         int stop_fd)
      : tls_(tls),
        context_(std::move(context)),
        connection_(std::move(connection)),
        socket_(std::move(socket)),
        plain_(std::move(plain)),
        stop_fd_(stop_fd) {}

  void run() {
    while (!ended_) {
      const bool moved = static_cast<int>(move_in()) + static_cast<int>(move_out()) > 0;
      if (!moved && !ended_ && !wait()) break;
    }
    tls_.shutdown(connection_.get());
  }

 private:
  struct Buffer {
    std::array<char, 32U << 10U> bytes;
    std::size_t begin = 0;
    std::size_t end = 0;
    [[nodiscard]] bool empty() const { return begin == end; }
  };

  /// From the network to the plain side.
  bool move_in() {
    bool moved = false;
    if (in_.empty()) {
      const int size = tls_.read(connection_.get(), in_.bytes.data(), static_cast<int>(in_.bytes.size()));
      if (!accept(size)) return false;
      in_.begin = 0;
      in_.end = size > 0 ? static_cast<std::size_t>(size) : 0;
      moved = size > 0;
    }
    while (!in_.empty()) {
      const auto size = ::send(plain_.get(), in_.bytes.data() + in_.begin, in_.end - in_.begin,
                               MSG_DONTWAIT | MSG_NOSIGNAL);
      if (size < 0 && errno == EAGAIN) break;
      if (size < 0) ended_ = errno != EINTR;
      if (ended_) return moved;
      if (size > 0) in_.begin += static_cast<std::size_t>(size);
      moved = true;
    }
    return moved;
  }

  /// From the plain side to the network.
  bool move_out() {
    bool moved = false;
    if (out_.empty()) {
      const auto size = ::recv(plain_.get(), out_.bytes.data(), out_.bytes.size(), MSG_DONTWAIT);
      if (size == 0) ended_ = true;
      if (size < 0) ended_ = errno != EAGAIN && errno != EINTR;
      if (size <= 0) return false;
      out_.begin = 0;
      out_.end = static_cast<std::size_t>(size);
      moved = true;
    }
    while (!out_.empty()) {
      const int size = tls_.write(connection_.get(), out_.bytes.data() + out_.begin,
                                  static_cast<int>(out_.end - out_.begin));
      if (!accept(size) || size <= 0) break;
      out_.begin += static_cast<std::size_t>(size);
      moved = true;
    }
    return moved;
  }

  /// Notes what the library waits for. False once the connection is over.
  bool accept(int result) {
    wants_write_ = false;
    if (result > 0) return true;
    const int want = tls_.get_error(connection_.get(), result);
    wants_write_ = want == kWantWrite;
    ended_ = want != kWantRead && want != kWantWrite;
    tls_.clear_errors();
    return !ended_;
  }

  bool wait() {
    const auto event = [](bool wanted, int which) { return static_cast<short>(wanted ? which : 0); };
    std::array<pollfd, 3> fds{{
        {socket_.get(), static_cast<short>(event(in_.empty(), POLLIN) | event(wants_write_, POLLOUT)), 0},
        {plain_.get(), static_cast<short>(event(out_.empty(), POLLIN) | event(!in_.empty(), POLLOUT)), 0},
        {stop_fd_, POLLIN, 0},
    }};
    while (::poll(fds.data(), fds.size(), -1) < 0) {
      if (errno != EINTR) return false;
    }
    return fds[2].revents == 0;
  }

  const TlsLibrary& tls_;
  Context context_;
  Connection connection_;
  base::Fd socket_;
  base::Fd plain_;
  const int stop_fd_;
  Buffer in_;
  Buffer out_;
  bool wants_write_ = false;
  bool ended_ = false;
};

}  // namespace

Result<base::Fd> open_tls(base::Fd socket, const TlsSettings& settings, Workers& workers, int stop_fd,
                          const Patience& patience) {
  PRX_TRY(const auto* tls, load_tls_library());
  PRX_TRY(auto context, make_context(*tls, settings));
  Connection connection(tls->connection_new(context.get()), ConnectionFree{tls});
  if (!connection) return os::system_error("tls", ENOMEM);
  set_peer(*tls, connection.get(), settings.host);
  PRX_CHECK(os::set_nonblocking(socket.get()));
  tls->set_fd(connection.get(), socket.get());
  PRX_CHECK(shake_hands(*tls, connection.get(), socket.get(), settings.host, patience));
  PRX_TRY(auto ends, os::open_socket_pair(SOCK_STREAM));
  auto tunnel = std::make_shared<Tunnel>(*tls, std::move(context), std::move(connection), std::move(socket),
                                         std::move(ends.second), stop_fd);
  workers.run([tunnel = std::move(tunnel)]() mutable {
    tunnel->run();
    tunnel.reset();
  });
  return std::move(ends.first);
}

}  // namespace prx::io
