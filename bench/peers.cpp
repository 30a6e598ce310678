#include "bench/peers.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>
#include <utility>

#include "bench/bare.hpp"
#include "bench/host.hpp"

namespace prx::bench {
namespace {

std::string peers_folder() {
  return PRX_BENCH_PEERS;
}

/// In the folder of the peers, then in $PATH; empty where it is in neither.
std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(peers_folder() + "/bin:" + (path != nullptr ? path : ""));
  for (std::string folder; std::getline(folders, folder, ':');) {
    auto file = folder + "/" + name;
    if (::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

/// The part of sandlock's C interface (0.9) that runs a program.
class Sandlock {
 public:
  explicit Sandlock(void* library)
      : new_builder_(find<void*()>(library, "sandlock_sandbox_builder_new")),
        allow_read_(find<void*(void*, const char*)>(library, "sandlock_sandbox_builder_fs_read")),
        build_(find<void*(void*, int*, char**)>(library, "sandlock_sandbox_build")),
        run_(find<void*(void*, const char*, const char* const*, unsigned)>(library, "sandlock_run")),
        succeeded_(find<bool(void*)>(library, "sandlock_result_success")),
        free_result_(find<void(void*)>(library, "sandlock_result_free")) {
    int error = 0;
    char* message = nullptr;
    sandbox_ = build_(allow_read_(new_builder_(), "/"), &error, &message);
    if (sandbox_ == nullptr) give_up("sandlock", error);
  }

  [[nodiscard]] bool run(const std::string& program) const {
    const char* const argv[] = {program.c_str()};
    void* const result = run_(sandbox_, nullptr, argv, 1);
    if (result == nullptr) return false;
    const bool succeeded = succeeded_(result);
    free_result_(result);
    return succeeded;
  }

 private:
  template <class Function>
  static Function* find(void* library, const char* name) {
    void* const found = ::dlsym(library, name);
    if (found == nullptr) give_up(name, 0);
    return reinterpret_cast<Function*>(found);
  }

  void* (*new_builder_)();
  void* (*allow_read_)(void*, const char*);
  void* (*build_)(void*, int*, char**);
  void* (*run_)(void*, const char*, const char* const*, unsigned);
  bool (*succeeded_)(void*);
  void (*free_result_)(void*);
  void* sandbox_ = nullptr;
};

}  // namespace

std::vector<Peer> quick_peers() {
  return {
      {"bwrap",
       "bwrap",
       {"--unshare-all", "--die-with-parent", "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc",
        "--tmpfs", "/tmp"}},
      {"unshare",
       "unshare",
       {"--user", "--map-root-user", "--mount", "--pid", "--fork", "--net", "--ipc", "--uts", "--cgroup"}},
  };
}

std::vector<Peer> slow_peers() {
  return {
      {"firejail", "firejail", {"--quiet", "--noprofile", "--net=none", "--private-tmp", "--"}},
      {"nono wrap", "nono", {"wrap", "--silent", "--read", "/", "--block-net", "--"}},
      {"sandbox-runtime", "srt", {}},
  };
}

std::optional<Argv> command_of(const Peer& peer, const Argv& command) {
  auto program = find_program(peer.program);
  if (program.empty()) return std::nullopt;
  Argv whole{std::move(program)};
  whole.insert(whole.end(), peer.before.begin(), peer.before.end());
  whole.insert(whole.end(), command.begin(), command.end());
  if (!succeeds(whole)) return std::nullopt;
  return whole;
}

std::optional<Contender> sandlock_library(const std::string& program) {
  void* const library = ::dlopen((peers_folder() + "/lib/libsandlock.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return std::nullopt;
  auto sandlock = std::make_shared<Sandlock>(library);
  if (!sandlock->run(program)) return std::nullopt;
  return Contender{"sandlock, C library", [sandlock, program] {
                     return time_of([&] {
                       if (!sandlock->run(program)) give_up("sandlock: the program failed", 0);
                     });
                   }};
}

}  // namespace prx::bench
