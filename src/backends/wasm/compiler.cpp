#include "backends/wasm/compiler.hpp"

#include <fcntl.h>
#include <linux/memfd.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "base/printable.hpp"
#include "base/try.hpp"
#include "os/launch.hpp"
#include "os/pipe.hpp"
#include "protocol/wasm_setup.hpp"

namespace prx::backends {
namespace {

constexpr int kPatienceMs = 300'000;

Result<base::Fd> open_empty(const char* name) {
  base::Fd fd(static_cast<int>(::syscall(SYS_memfd_create, name, MFD_CLOEXEC | MFD_ALLOW_SEALING)));
  if (!fd.is_open()) return os::system_error("memfd_create", errno);
  return fd;
}

std::string read_message(const base::Fd& file) {
  std::array<char, 2048> text{};
  const auto size = ::pread(file.get(), text.data(), text.size(), 0);
  std::string line;  // the engine draws where the mistake is, in several
  for (const char c : std::string_view(text.data(), size < 0 ? 0 : static_cast<std::size_t>(size))) {
    const bool is_blank = c == '\n' || c == ' ';
    if (!is_blank) line += c;
    if (is_blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  return base::printable(line);
}

/// False when it took too long; then it has been killed.
bool wait_for(const base::Fd& pidfd) {
  pollfd fd{pidfd.get(), POLLIN, 0};
  int ready = 0;
  do {
    ready = ::poll(&fd, 1, kPatienceMs);
  } while (ready < 0 && errno == EINTR);
  if (ready > 0) return true;
  ::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0);
  return false;
}

Error compile_error(const std::string& path, int code, std::string message) {
  if (code == ENOEXEC) {
    return {ErrorKind::not_executable,
            "compile",
            path,
            0,
            std::move(message),
            "it has to be a WebAssembly module (.wasm) or its text (.wat)"};
  }
  auto error = os::system_error("compile", code);
  error.subject = path;
  if (!message.empty()) error.detail = std::move(message);
  return error;
}

Error gave_up(const std::string& path) {
  return {ErrorKind::exhausted,  "compile", path, 0, "compiling it took more time or memory than is allowed",
          "use a smaller module"};
}

/// `role`: what of the module's the worker makes.
Result<base::Fd> make_of(const base::Fd& worker, const char* role, const base::Fd& module,
                         const std::string& path) {
  PRX_TRY(auto code, open_empty("prx-wasm-code"));
  PRX_TRY(const auto message, open_empty("prx-wasm-message"));
  os::LaunchPlan plan{worker.get(), "prx-wasm", role};
  plan.descriptors = {module.get(), code.get(), message.get(), -1, -1, -1, -1, -1};
  PRX_TRY(const auto launched, os::launch(plan));
  const bool ended = wait_for(launched.pidfd);
  const auto status = os::reap(launched.pidfd);
  if (!ended) return gave_up(path);
  if (status != 0) return compile_error(path, status, read_message(message));
  if (::lseek(code.get(), 0, SEEK_END) <= 0) return gave_up(path);  // a signal ended it
  if (::fcntl(code.get(), F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL) != 0) {
    return os::system_error("compile", errno);
  }
  return code;
}

}  // namespace

Result<base::Fd> compile_module(const base::Fd& worker, const base::Fd& module, const std::string& path) {
  return make_of(worker, "compile", module, path);
}

Result<base::Fd> translate_module(const base::Fd& worker, const base::Fd& module, const std::string& path) {
  return make_of(worker, "translate", module, path);
}

}  // namespace prx::backends
