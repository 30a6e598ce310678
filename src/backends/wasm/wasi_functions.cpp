#include "backends/wasm/wasi_functions.hpp"

#include <algorithm>
#include <array>

namespace prx::backends {
namespace {

struct Function {
  std::string_view name;
  Capability capability;
};

using enum Capability;

/// All that there are, by name.
constexpr std::array<Function, 46> kFunctions{{
    {"args_get", none},
    {"args_sizes_get", none},
    {"clock_res_get", none},
    {"clock_time_get", none},
    {"environ_get", env_vars},
    {"environ_sizes_get", env_vars},
    {"fd_advise", none},
    {"fd_allocate", filesystem_write},
    {"fd_close", none},
    {"fd_datasync", none},
    {"fd_fdstat_get", none},
    {"fd_fdstat_set_flags", none},
    {"fd_fdstat_set_rights", none},
    {"fd_filestat_get", none},
    {"fd_filestat_set_size", filesystem_write},
    {"fd_filestat_set_times", filesystem_write},
    {"fd_pread", none},
    {"fd_prestat_dir_name", none},
    {"fd_prestat_get", none},
    {"fd_pwrite", none},
    {"fd_read", none},
    {"fd_readdir", filesystem_read},
    {"fd_renumber", none},
    {"fd_seek", none},
    {"fd_sync", none},
    {"fd_tell", none},
    {"fd_write", none},
    {"path_create_directory", filesystem_write},
    {"path_filestat_get", filesystem_read},
    {"path_filestat_set_times", filesystem_write},
    {"path_link", filesystem_write},
    {"path_open", filesystem_read},
    {"path_readlink", filesystem_read},
    {"path_remove_directory", filesystem_write},
    {"path_rename", filesystem_write},
    {"path_symlink", filesystem_write},
    {"path_unlink_file", filesystem_write},
    {"poll_oneoff", none},
    {"proc_exit", none},
    {"proc_raise", none},
    {"random_get", none},
    {"sched_yield", none},
    {"sock_accept", network},
    {"sock_recv", network},
    {"sock_send", network},
    {"sock_shutdown", network},
}};
static_assert(std::is_sorted(kFunctions.begin(), kFunctions.end(),
                             [](const auto& a, const auto& b) { return a.name < b.name; }));

}  // namespace

std::string_view to_string(Capability capability) noexcept {
  switch (capability) {
    case none:
      return "none";
    case filesystem_read:
      return "filesystem_read";
    case filesystem_write:
      return "filesystem_write";
    case network:
      return "network";
    case env_vars:
      return "env_vars";
  }
  return "none";
}

const Capability* wasi_function(std::string_view name) noexcept {
  const auto* const at =
      std::lower_bound(kFunctions.begin(), kFunctions.end(), name,
                       [](const Function& one, std::string_view n) { return one.name < n; });
  return at == kFunctions.end() || at->name != name ? nullptr : &at->capability;
}

}  // namespace prx::backends
