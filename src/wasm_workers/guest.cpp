#include "wasm_workers/guest.hpp"

#include <fcntl.h>
#include <linux/close_range.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "init/ancillary.hpp"
#include "init/command_report.hpp"
#include "init/process.hpp"
#include "os/raw_clock.hpp"
#include "protocol/slot_request.hpp"

namespace prx::wasm {
namespace {

using protocol::Step;

init::CommandReport report;

[[noreturn]] void send_report_and_end(int socket) {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto microseconds = [](const timeval& time) {
    return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000U + static_cast<std::uint64_t>(time.tv_usec);
  };
  report.user_us = microseconds(usage.ru_utime);
  report.system_us = microseconds(usage.ru_stime);
  report.max_rss_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) << 10U;
  (void)::send(socket, &report, sizeof(report), MSG_NOSIGNAL);
  ::_exit(report.exit_code & 0xff);
}

void put_text(std::string_view text) {
  report.text_size = static_cast<std::uint32_t>(std::min(text.size(), sizeof(report.text)));
  std::memcpy(report.text, text.data(), report.text_size);
}

[[noreturn]] void fail(int socket, Step step, int error, std::string_view text) {
  report.step = step;
  report.error = error;
  put_text(text);
  send_report_and_end(socket);
}

/// False at the end of the stream.
bool receive_all(int socket, void* to, std::size_t size) {
  auto* at = static_cast<char*>(to);
  while (size > 0) {
    const auto got = ::recv(socket, at, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

struct ReceivedCall {
  GuestCallHeader header{};
  int fds[3] = {-1, -1, -1};
  std::vector<std::byte> bytes;
};

/// The host or prx-init has ended when no call comes: so does the guest.
ReceivedCall wait_for_call(int socket) {
  ReceivedCall call;
  const long got = init::receive_with_fds(socket, &call.header, sizeof(call.header), call.fds);
  if (got != static_cast<long>(sizeof(call.header))) ::_exit(0);
  call.bytes.resize(std::size_t{call.header.argv_size} + call.header.env_size + call.header.directory_size);
  if (!receive_all(socket, call.bytes.data(), call.bytes.size())) ::_exit(0);
  return call;
}

void take_streams(int socket, const ReceivedCall& call) {
  for (int i = 0; i < 3; ++i) {
    if (call.fds[i] < 0) fail(socket, Step::stdio, EMFILE, {});
    if (::dup2(call.fds[i], i) < 0) fail(socket, Step::stdio, errno, {});
    ::close(call.fds[i]);
  }
  if (call.header.has_terminal != 0) ::ioctl(0, TIOCSCTTY, 0);
}

std::vector<std::string> strings_of(std::span<const std::byte> bytes, std::uint32_t count) {
  std::vector<std::string> strings;
  protocol::StringList{bytes, count}.for_each([&](std::string_view text) { strings.emplace_back(text); });
  return strings;
}

/// The path with every link resolved, of a directory that is there.
std::string enter(int socket, const std::string& directory) {
  if (directory.empty()) return {};
  const auto refuse = [&](int error) { fail(socket, Step::chdir, error, directory); };
  const auto* how = directory.starts_with("/proc/") ? "" : directory.c_str();
  struct stat status{};
  if (*how == '\0') refuse(ELOOP);  // a magic link may lead anywhere
  if (::stat(how, &status) != 0) refuse(errno);
  if (!S_ISDIR(status.st_mode)) refuse(ENOTDIR);
  std::array<char, PATH_MAX> real{};
  return ::realpath(how, real.data()) == nullptr ? std::string() : std::string(real.data());
}

bool is_within(std::string_view path, std::string_view parent) {
  return path.starts_with(parent) &&
         (parent == "/" || path.size() == parent.size() || path[parent.size()] == '/');
}

/// WASI has no working directory, but C libraries take what is called "." for it: where the command starts
/// in a granted place, that is what relative paths begin at.
void add_current(const std::string& directory, std::vector<protocol::WasmDirectory>& directories) {
  const protocol::WasmDirectory* grant = nullptr;
  for (const auto& candidate : directories) {
    if (!is_within(directory, candidate.host)) continue;
    if (grant == nullptr || candidate.host.size() > grant->host.size()) grant = &candidate;
  }
  if (grant != nullptr) directories.insert(directories.begin(), {directory, ".", grant->writable});
}

GuestCall unpack(int socket, const ReceivedCall& received) {
  const auto all = std::span(received.bytes);
  const auto& header = received.header;
  GuestCall call;
  call.argv = strings_of(all.first(header.argv_size), header.argc);
  call.env = strings_of(all.subspan(header.argv_size, header.env_size), header.envc);
  const auto directory = all.last(header.directory_size);
  call.directories = loaded().setup.directories;
  const auto current =
      enter(socket, std::string(reinterpret_cast<const char*>(directory.data()), directory.size()));
  if (!current.empty()) add_current(current, call.directories);
  return call;
}

void confine_by(int socket, int ruleset) {
  if (ruleset < 0) return;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
      ::syscall(SYS_landlock_restrict_self, ruleset, 0) != 0) {
    fail(socket, Step::landlock, errno, {});
  }
  ::close(ruleset);
}

}  // namespace

Loaded& loaded() {
  static Loaded program;
  return program;
}

std::optional<Failure> load_program() {
  auto& program = loaded();
  struct stat status{};
  if (::fstat(protocol::kWasmSetupFd, &status) != 0) return Failure{errno, "no settings came"};
  std::vector<std::byte> bytes(static_cast<std::size_t>(status.st_size));
  const auto got = ::pread(protocol::kWasmSetupFd, bytes.data(), bytes.size(), 0);
  auto setup = got == status.st_size ? protocol::decode_wasm_setup(bytes) : std::nullopt;
  if (!setup) return Failure{EBADMSG, "the settings are damaged"};
  program.setup = std::move(*setup);
  program.engine = make_engine();
  const auto code = "/proc/self/fd/" + std::to_string(protocol::kWasmCodeFd);
  return program.engine->load(code.c_str(), program.setup);
}

void live_as_guest(int socket, int ruleset, bool ready_first) {
  ::prctl(PR_SET_NAME, "prx-guest");
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::setsid();
  // Its own descriptors stay open for good, so nothing else may.
  const auto low = static_cast<unsigned>(std::min(socket, ruleset < 0 ? socket : ruleset));
  const auto high = static_cast<unsigned>(std::max(socket, ruleset));
  if (low > 3) ::syscall(SYS_close_range, 3, low - 1, 0);
  if (high > low + 1) ::syscall(SYS_close_range, low + 1, high - 1, 0);
  ::syscall(SYS_close_range, high + 1, ~0U, 0);
  confine_by(socket, ruleset);
  init::unblock_all_signals();
  auto& engine = *loaded().engine;
  if (ready_first) engine.get_ready();
  const auto received = wait_for_call(socket);
  take_streams(socket, received);
  const auto call = unpack(socket, received);
  const auto end = engine.run(call, [] { report.started_ns = os::monotonic_ns(); });
  if (end.failure) fail(socket, Step::engine, end.failure->error, end.failure->text);
  report.exit_code = end.exit_code;
  report.trap = end.trap;
  report.out_of_memory = end.trap != protocol::Trap::none && end.out_of_memory;
  put_text(end.text);
  send_report_and_end(socket);
}

}  // namespace prx::wasm
