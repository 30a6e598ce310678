#include "app/create_wasm.hpp"

#include <linux/landlock.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "backends/wasm/wasm_runtime.hpp"
#include "backends/wasm/wasm_settings.hpp"
#include "backends/wasm/worker_program.hpp"
#include "base/try.hpp"
#include "core/environment.hpp"
#include "protocol/plan_encoder.hpp"
#include "sandbox/landlock_rights.hpp"
#include "sandbox/never_visible.hpp"
#include "sandbox/paths.hpp"
#include "sandbox/seccomp_profile.hpp"

namespace prx::app {
namespace {

int landlock_version() {
  constexpr unsigned kAskVersion = 1;  // LANDLOCK_CREATE_RULESET_VERSION
  return std::max(0, static_cast<int>(::syscall(SYS_landlock_create_ruleset, nullptr, 0, kAskVersion)));
}

/// The second wall, around the engine's own: what a broken engine could do is no more than was granted.
/// Nothing may be executed, and no socket opened.
core::PlanSource make_plan(const std::vector<protocol::WasmDirectory>& directories, int version) {
  protocol::PlanFields plan;
  const auto rights = sandbox::landlock_rights(version);
  plan.landlock_fs = rights.all;
  plan.landlock_scoped = rights.scoped;
  if (rights.all != 0) {
    constexpr std::uint64_t kExecute = LANDLOCK_ACCESS_FS_EXECUTE;
    for (const auto& directory : directories) {
      plan.path_rules.push_back(
          {directory.host, (directory.writable ? rights.all : rights.read) & ~kExecute});
    }
  }
  const auto program = sandbox::seccomp_program({.inet = sandbox::SeccompOptions::Inet::none,
                                                 .unix_sockets = sandbox::SeccompOptions::Unix::pairs,
                                                 .own_ipc = false,
                                                 .own_pids = false,
                                                 .observe = false});
  plan.filter.assign(reinterpret_cast<const char*>(program.filter.data()),
                     program.filter.size() * sizeof(sock_filter));
  auto planned = std::make_shared<core::PlannedSlot>();
  planned->plan = protocol::encode_plan(plan);
  return [planned = std::shared_ptr<const core::PlannedSlot>(std::move(planned))] {
    return Result<std::shared_ptr<const core::PlannedSlot>>(planned);
  };
}

/// Nothing hides a part of a grant from a module. The key of the compiled code is among what is prx's own.
Result<void> refuse_never_visible(const Config& config,
                                  const std::vector<protocol::WasmDirectory>& directories) {
  const char* home = std::getenv("HOME");
  const auto never = sandbox::find_never_visible(config, home == nullptr ? "" : home, ::geteuid());
  for (const auto& directory : directories) {
    for (const auto& entry : never) {
      std::error_code error;
      const auto path = std::filesystem::weakly_canonical(entry.path, error).string();
      const bool overlaps =
          sandbox::is_within(path, directory.host) || sandbox::is_within(directory.host, path);
      if (error || !overlaps || !std::filesystem::exists(path, error)) continue;
      return Error{ErrorKind::denied,
                   "config",
                   directory.host,
                   0,
                   "a module would see " + path + ": " + entry.what,
                   "grant directories beside it in runtime.wasm.capabilities"};
    }
  }
  return {};
}

std::string workspace_of(const Config& config) {
  std::error_code error;
  return config.workspace.empty() ? std::filesystem::current_path(error).string() : config.workspace;
}

}  // namespace

Result<std::unique_ptr<RuntimeAdapter>> create_wasm(const Config& config, HostKind host) {
  PRX_TRY(auto settings, backends::make_wasm_settings(config, core::process_environment()));
  PRX_TRY(const auto worker, backends::open_worker(config.runtime.wasm.engine));
  PRX_TRY(auto directories, backends::granted_directories(config, workspace_of(config)));
  PRX_CHECK(refuse_never_visible(config, directories));
  const int version = landlock_version();
  if (version == 0) {
    settings.warnings.emplace_back(
        "this kernel has no Landlock: only the engine holds a module to its grants");
  }
  backends::WasmPlan plan;
  plan.engine = config.runtime.wasm.engine;
  plan.module_path = config.runtime.wasm.module_path;
  plan.ceiling = config.runtime.wasm.timeout;
  plan.plan = make_plan(directories, version);
  plan.cache = backends::CodeCache::default_folders();
  plan.parked = host == HostKind::library ? std::max<std::uint32_t>(config.runtime.wasm.pool, 1) : 0;
  plan.setup = protocol::encode_wasm_setup(
      {config.runtime.wasm.max_memory.value, std::move(directories), plan.parked > 0});
  return std::unique_ptr<RuntimeAdapter>(
      std::make_unique<backends::WasmRuntime>(std::move(settings), std::move(plan)));
}

}  // namespace prx::app
