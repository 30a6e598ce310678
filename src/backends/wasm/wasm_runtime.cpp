#include "backends/wasm/wasm_runtime.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <utility>

#include "backends/wasm/module_slots.hpp"
#include "backends/wasm/shell_words.hpp"
#include "backends/wasm/worker_program.hpp"
#include "base/try.hpp"

namespace prx::backends {
namespace {

/// Each has a process with its code loaded.
constexpr std::size_t kMaxModules = 32;

Result<Program> as_program(Command command) {
  if (auto* program = std::get_if<Program>(&command)) return std::move(*program);
  const auto& line = std::get<ShellLine>(command);
  if (!line.options.empty() || !line.args.empty()) {
    return Error{ErrorKind::unsupported,
                 "shell",
                 line.text,
                 0,
                 "a module has no shell that would take options",
                 "give the program and its arguments without a shell"};
  }
  PRX_TRY(auto words, split_plain_words(line.text));
  Program program{std::move(words.front())};
  words.erase(words.begin());
  program.args = std::move(words);
  return program;
}

/// Of the request, where it names an absolute one.
std::string directory_of(const ExecutionRequest& request) {
  std::error_code error;
  if (request.working_dir.starts_with('/')) return request.working_dir;
  return (std::filesystem::current_path(error) / request.working_dir).string();
}

}  // namespace

struct WasmRuntime::Module {
  std::string path;
  FileIdentity identity;
  /// Of its own: the event that counts down must not hold the module itself, whose end waits for it.
  std::shared_ptr<std::atomic<int>> running = std::make_shared<std::atomic<int>>(0);
  std::unique_ptr<core::SlotRuntime> runtime;
};

WasmRuntime::WasmRuntime(core::Settings settings, WasmPlan plan)
    : settings_(std::move(settings)), plan_(std::move(plan)) {}

WasmRuntime::~WasmRuntime() = default;

Availability WasmRuntime::is_available() {
  const auto worker = open_worker(plan_.engine);
  if (worker) return {true, {}, {}};
  return {false, worker.error().message(), worker.error().hint};
}

/// What is out of date or used least goes, unless something runs in it; never on the reactor, which its end
/// would wait for.
void WasmRuntime::drop_idle() {
  for (auto at = modules_.end(); at != modules_.begin() && modules_.size() > kMaxModules;) {
    --at;
    if (*(*at)->running == 0) at = modules_.erase(at);
  }
}

Result<std::shared_ptr<WasmRuntime::Module>> WasmRuntime::find(ModuleFile file) {
  const std::scoped_lock lock(mutex_);
  const auto same = std::find_if(modules_.begin(), modules_.end(), [&](const auto& module) {
    return module->path == file.path && module->identity == file.identity;
  });
  if (same != modules_.end()) {
    modules_.splice(modules_.begin(), modules_, same);
    ++*modules_.front()->running;
    return modules_.front();
  }
  PRX_TRY(auto worker, open_worker(plan_.engine));
  auto engine = describe_worker(plan_.engine, worker);
  modules_.remove_if([&](const auto& old) { return old->path == file.path && *old->running == 0; });
  auto module = std::make_shared<Module>();
  module->path = file.path;
  module->identity = file.identity;
  auto made_of = std::make_shared<const ModulePlan>(ModulePlan{std::move(worker), std::move(file),
                                                               plan_.setup, plan_.plan, plan_.parked,
                                                               plan_.cache, std::move(engine)});
  module->runtime = std::make_unique<core::SlotRuntime>(
      settings_, [made_of] { return std::make_unique<ModuleSlots>(made_of); },
      [] { return Availability{true, {}, {}}; });
  ++*module->running;
  modules_.push_front(module);
  drop_idle();
  return module;
}

Result<std::shared_ptr<WasmRuntime::Module>> WasmRuntime::prepare(ExecutionRequest& request) {
  PRX_TRY(auto program, as_program(std::move(request.command)));
  if (program.file.empty() || program.file.find('\0') != std::string::npos) {
    return Error{ErrorKind::invalid_request, "exec", {}, 0, "that is no name of a module", {}};
  }
  PRX_TRY(auto file, open_module(program.file, plan_.module_path, directory_of(request)));
  request.command = std::move(program);
  if (request.timeout && plan_.ceiling.count() > 0) {
    const bool none = request.timeout->count() == 0;
    request.timeout = none ? plan_.ceiling : std::min(*request.timeout, plan_.ceiling);
  }
  return find(std::move(file));
}

Result<Execution> WasmRuntime::start(ExecutionRequest request, ExecutionEvents events) {
  PRX_TRY(auto module, prepare(request));
  auto ended = [running = module->running,
                told = std::move(events.ended)](const Result<ExecutionOutput>& result) {
    if (told) told(result);
    --*running;
  };
  events.ended = std::move(ended);
  auto started = module->runtime->start(std::move(request), std::move(events));
  if (!started) --*module->running;
  return started;
}

Result<ExecutionOutput> WasmRuntime::execute(ExecutionRequest request) {
  PRX_TRY(auto module, prepare(request));
  auto result = module->runtime->execute(std::move(request));
  --*module->running;
  return result;
}

}  // namespace prx::backends
