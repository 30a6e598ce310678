#include "core/slot_runtime.hpp"

#include <pthread.h>

#include <boost/asio/io_context.hpp>
#include <csignal>
#include <filesystem>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/try.hpp"
#include "core/execution_state.hpp"
#include "core/request_plan.hpp"
#include "core/without_throwing.hpp"
#include "io/context_pool.hpp"
#include "io/reactor.hpp"
#include "os/pipe.hpp"
#include "os/signal_mask.hpp"

namespace prx::core {
namespace {

/// Counts the forks that led to this process.
std::atomic<unsigned> fork_generation{0};

void count_forks() {
  static std::once_flag once;
  std::call_once(once, [] { ::pthread_atfork(nullptr, nullptr, [] { ++fork_generation; }); });
}

std::string current_directory() {
  std::error_code error;
  auto path = std::filesystem::current_path(error);
  return error ? std::string() : path.string();
}

bool is_within(std::string_view path, std::string_view parent) {
  return path.starts_with(parent) && (path.size() == parent.size() || path[parent.size()] == '/');
}

struct PreparedRequest {
  RequestPlan plan;
  StdioSource stdio;
};

Result<PreparedRequest> prepare(ExecutionRequest& request, const Settings& settings) {
  const bool absolute = request.working_dir.starts_with('/');
  PRX_TRY(auto plan, plan_request(request, settings, absolute ? std::string() : base_directory(settings)));
  PRX_TRY(auto stdio, make_stdio_source(request));
  return PreparedRequest{std::move(plan), std::move(stdio)};
}

}  // namespace

std::string base_directory(const Settings& settings) {
  auto current = current_directory();
  if (current.empty() || settings.workspace.empty() || is_within(current, settings.workspace)) return current;
  return settings.workspace;
}

/// What belongs to one process: a fork copies the memory, but neither the thread nor the right to the slots.
struct SlotRuntime::Host {
  Host(unsigned made_in, std::unique_ptr<SlotSource> source)
      : generation(made_in), slots(std::move(source)) {}

  io::Reactor& reactor() {
    const std::scoped_lock lock(mutex);
    if (!own_reactor) own_reactor.emplace();
    return *own_reactor;
  }

  void remember(const std::shared_ptr<ExecutionState>& state) {
    const std::scoped_lock lock(mutex);
    std::erase_if(live, [](const auto& entry) { return entry.expired(); });
    live.push_back(state);
  }

  const unsigned generation;
  const std::unique_ptr<SlotSource> slots;
  io::ContextPool contexts;
  std::mutex mutex;
  std::optional<io::Reactor> own_reactor;           // guarded by mutex
  std::vector<std::weak_ptr<ExecutionState>> live;  // guarded by mutex
};

SlotRuntime::SlotRuntime(Settings settings, MakeSlots make_slots, Probe probe)
    : settings_(std::move(settings)), make_slots_(std::move(make_slots)), probe_(std::move(probe)) {
  count_forks();
}

SlotRuntime::~SlotRuntime() {
  auto* host = host_.load();
  // In a forked child the parent's host is left alone, unfreed: its thread and its slots are not here.
  if (host == nullptr || host->generation != fork_generation) return;
  std::vector<std::weak_ptr<ExecutionState>> live;
  {
    const std::scoped_lock lock(host->mutex);
    live.swap(host->live);
  }
  for (const auto& entry : live) {
    if (const auto state = entry.lock()) state->cancel(SIGTERM);
  }
  for (const auto& entry : live) {
    if (const auto state = entry.lock()) (void)state->wait();
  }
  delete host;
}

SlotRuntime::Host& SlotRuntime::host() {
  const unsigned generation = fork_generation;
  auto* current = host_.load();
  while (current == nullptr || current->generation != generation) {
    auto made = std::make_unique<Host>(generation, make_slots_());
    if (host_.compare_exchange_strong(current, made.get())) return *made.release();
  }
  return *current;
}

Result<Execution> SlotRuntime::start(ExecutionRequest request, ExecutionEvents events) {
  return without_throwing([&] { return start_on_reactor(std::move(request), std::move(events)); });
}

Result<ExecutionOutput> SlotRuntime::execute(ExecutionRequest request) {
  return without_throwing([&] { return run_here(std::move(request)); });
}

Result<Execution> SlotRuntime::start_on_reactor(ExecutionRequest request, ExecutionEvents events) {
  PRX_TRY(auto prepared, prepare(request, settings_));
  auto& owner = host();
  const auto context = owner.reactor().context();
  auto state = std::make_shared<ExecutionState>(context, *owner.slots, settings_, std::move(prepared.plan),
                                                std::move(prepared.stdio), std::move(events));
  owner.remember(state);
  PRX_CHECK(state->begin());
  return Execution(std::move(state));
}

Result<ExecutionOutput> SlotRuntime::run_here(ExecutionRequest request) {
  PRX_TRY(auto prepared, prepare(request, settings_));
  auto& owner = host();
  // The calling thread is the reactor of this one execution: no thread is woken for it.
  const auto context = owner.contexts.borrow();
  auto state =
      std::make_shared<ExecutionState>(context.shared(), *owner.slots, settings_, std::move(prepared.plan),
                                       std::move(prepared.stdio), ExecutionEvents{});
  const os::RaisedSignalDropped no_sigpipe(SIGPIPE);
  PRX_CHECK(state->begin());
  context->run();
  return state->take_result();
}

}  // namespace prx::core
