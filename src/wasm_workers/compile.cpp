#include "wasm_workers/compile.hpp"

#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "wasm_workers/engine.hpp"

namespace prx::wasm {
namespace {

/// Of a compiler that a module has led astray. Ordinary ones need a tenth.
constexpr rlim_t kMaxMemory = rlim_t{4} << 30U;
constexpr rlim_t kMaxCpuSeconds = 240;

/// A module is hostile input to a large program: what goes wrong in it must reach nothing. Where the kernel
/// has no Landlock the process is still one of its own, with nothing open but three files.
void confine() {
  ::prctl(PR_SET_DUMPABLE, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const rlimit memory{kMaxMemory, kMaxMemory};
  ::setrlimit(RLIMIT_DATA, &memory);
  const rlimit time{kMaxCpuSeconds, kMaxCpuSeconds};
  ::setrlimit(RLIMIT_CPU, &time);
  constexpr std::uint64_t kAllOfFirstVersion = (1ULL << 13U) - 1;
  const landlock_ruleset_attr attributes{.handled_access_fs = kAllOfFirstVersion};
  const auto ruleset = static_cast<int>(
      ::syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes.handled_access_fs), 0));
  if (ruleset < 0) return;
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0) ::syscall(SYS_landlock_restrict_self, ruleset, 0);
  ::close(ruleset);
}

bool read_all(int fd, std::string& text) {
  struct stat status{};
  if (::fstat(fd, &status) != 0) return false;
  text.resize(static_cast<std::size_t>(status.st_size));
  std::size_t at = 0;
  while (at < text.size()) {
    const auto got = ::pread(fd, text.data() + at, text.size() - at, static_cast<off_t>(at));
    if (got <= 0) return false;
    at += static_cast<std::size_t>(got);
  }
  return true;
}

bool write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto size = ::write(fd, text.data(), text.size());
    if (size <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
  return true;
}

}  // namespace

int run_compile(Product product) {
  confine();
  std::string module;
  if (!read_all(protocol::kCompileInputFd, module)) return EIO;
  std::string made;
  const auto engine = make_engine();
  const auto failure =
      product == Product::code ? engine->compile(module, made) : engine->translate(module, made);
  if (failure) {
    (void)write_all(protocol::kCompileMessageFd, failure->text);
    return failure->error;
  }
  return write_all(protocol::kCompileOutputFd, made) ? 0 : ENOSPC;
}

}  // namespace prx::wasm
