#include "backends/docker/connector.hpp"

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "base/try.hpp"
#include "io/tls.hpp"
#include "os/pipe.hpp"

namespace prx::backends {
namespace {

/// Each TLS connection has one; a look-up that hangs keeps one.
constexpr std::size_t kMostWorkers = 4096;

struct AddressesFree {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
};
using Addresses = std::unique_ptr<addrinfo, AddressesFree>;

/// A look-up that its caller may have given up.
struct Lookup {
  explicit Lookup(os::Event event) : done(std::move(event)) {}
  os::Event done;
  int error = 0;
  Addresses addresses;
};

Result<base::Fd> open_socket(int family) {
  base::Fd socket(::socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.is_open()) return os::system_error("socket", errno);
  return socket;
}

/// 0, or why not.
Result<int> finish_connect(int socket, int result, const io::Patience& patience) {
  if (result == 0) return 0;
  if (errno != EINPROGRESS) return errno;
  PRX_CHECK(io::wait_for(socket, POLLOUT, patience));
  int error = 0;
  socklen_t size = sizeof(error);
  ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
  return error;
}

/// A connection that carries a command may be silent for hours: what forgets idle ones on the way must not.
void keep_alive(int socket) {
  const int on = 1;
  const int idle_seconds = 30;
  ::setsockopt(socket, SOL_SOCKET, SO_KEEPALIVE, &on, sizeof(on));
  ::setsockopt(socket, IPPROTO_TCP, TCP_KEEPIDLE, &idle_seconds, sizeof(idle_seconds));
  ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

}  // namespace

Connector::Connector(Endpoint endpoint, os::Event stop)
    : endpoint_(std::move(endpoint)), stop_(std::move(stop)), workers_(kMostWorkers) {}

Connector::~Connector() {
  stop_.set();
}

Result<std::unique_ptr<Connector>> Connector::make(Endpoint endpoint) {
  PRX_TRY(auto stop, os::Event::open());
  return std::unique_ptr<Connector>(new Connector(std::move(endpoint), std::move(stop)));
}

Result<base::Fd> Connector::connect(const io::Patience& patience) {
  switch (endpoint_.kind) {
    case Endpoint::Kind::unix_socket:
      return connect_unix(patience);
    case Endpoint::Kind::tcp:
      return connect_tcp(patience);
    case Endpoint::Kind::ssh:
      return connect_ssh();
  }
  return connect_error(EINVAL);
}

Error Connector::connect_error(int error_number) const {
  Error error{ErrorKind::unavailable,
              "docker",
              endpoint_.address,
              error_number,
              "no docker daemon answers there, which " + endpoint_.chosen_by + " names",
              "start it, or name another with runtime.docker.socket or DOCKER_HOST"};
  if (error_number == EACCES || error_number == EPERM) {
    error.detail = "this user may not talk to the docker daemon";
    error.hint =
        "add the user to the group of the socket (which is as good as root), or run a rootless daemon";
  }
  if (os::is_exhaustion(error_number) && error_number != EAGAIN) error.kind = ErrorKind::exhausted;
  return error;
}

Result<base::Fd> Connector::connect_unix(const io::Patience& patience) const {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  endpoint_.path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  PRX_TRY(auto socket, open_socket(AF_UNIX));
  for (;;) {
    if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0)
      return socket;
    if (errno != EAGAIN) return connect_error(errno);
    // The daemon's backlog is full, and unlike TCP nothing tells when it no longer is: the pause ends sooner
    // only when nobody wants the connection any more.
    constexpr std::chrono::milliseconds kPause{5};
    const auto paused = io::wait_for(-1, 0, patience.at_most(kPause));
    if (!paused && (paused.error().os_errno == ECANCELED || patience.deadline.has_passed()))
      return paused.error();
  }
}

Result<base::Fd> Connector::connect_tcp(const io::Patience& patience) {
  PRX_TRY(auto event, os::Event::open());
  const auto lookup = std::make_shared<Lookup>(std::move(event));
  // The C library's look-up knows no deadline.
  workers_.run([lookup, host = endpoint_.host, port = std::to_string(endpoint_.port)] {
    addrinfo hints{};
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_ADDRCONFIG | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    lookup->error = ::getaddrinfo(host.c_str(), port.c_str(), &hints, &found);
    lookup->addresses.reset(found);
    lookup->done.set();
  });
  PRX_CHECK(io::wait_for(lookup->done.fd(), POLLIN, patience));
  if (lookup->error != 0) {
    auto error = connect_error(0);
    error.detail = std::string("the host's name has no address: ") + ::gai_strerror(lookup->error);
    return error;
  }
  int failure = ECONNREFUSED;
  for (const auto* at = lookup->addresses.get(); at != nullptr; at = at->ai_next) {
    PRX_TRY(auto socket, open_socket(at->ai_family));
    PRX_TRY(failure,
            finish_connect(socket.get(), ::connect(socket.get(), at->ai_addr, at->ai_addrlen), patience));
    if (failure != 0) continue;
    keep_alive(socket.get());
    if (!endpoint_.tls) return socket;
    const auto& files = *endpoint_.tls;
    return io::open_tls(std::move(socket), {endpoint_.host, files.ca, files.cert, files.key, files.verify},
                        workers_, stop_.fd(), patience);
  }
  return connect_error(failure);
}

/// As the docker program does: one ssh for each connection. BatchMode: nobody is there to be asked.
Result<base::Fd> Connector::connect_ssh() {
  std::vector<std::string> argv{"ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=30", "-T"};
  if (!endpoint_.user.empty()) argv.insert(argv.end(), {"-l", endpoint_.user});
  if (endpoint_.port != 0) argv.insert(argv.end(), {"-p", std::to_string(endpoint_.port)});
  argv.insert(argv.end(), {"--", endpoint_.host, "docker", "system", "dial-stdio"});
  PRX_TRY(auto ends, os::open_socket_pair(SOCK_STREAM));
  PRX_TRY(auto carrier, os::ToolProcess::start(argv, ends.second, ends.second));
  const std::scoped_lock lock(mutex_);
  std::erase_if(carriers_, [](auto& one) { return one.has_ended(); });
  carriers_.push_back(std::move(carrier));
  return std::move(ends.first);
}

std::string Connector::complaint() {
  const std::scoped_lock lock(mutex_);
  for (auto& carrier : carriers_) {
    if (carrier.has_ended() && carrier.exit_code() != 0) last_complaint_ = carrier.complaint();
  }
  return last_complaint_;
}

}  // namespace prx::backends
