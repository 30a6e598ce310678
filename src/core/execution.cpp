#include <csignal>
#include <utility>

#include <prx/runtime.hpp>

#include "core/execution_state.hpp"
#include "core/without_throwing.hpp"

namespace prx {

Execution::Execution(std::shared_ptr<core::ExecutionState> state) : state_(std::move(state)) {}

Execution::~Execution() {
  if (state_ && !state_->has_ended()) state_->cancel(SIGTERM);
}

Execution::Execution(Execution&&) noexcept = default;

Execution& Execution::operator=(Execution&& other) noexcept {
  if (this != &other) {
    if (state_ && !state_->has_ended()) state_->cancel(SIGTERM);
    state_ = std::move(other.state_);
  }
  return *this;
}

const std::string& Execution::id() const noexcept {
  return state_->id();
}
Result<void> Execution::write_stdin(std::span<const char> bytes) {
  return core::without_throwing([&] { return state_->write_stdin(bytes); });
}
Result<void> Execution::close_stdin() {
  return state_->close_stdin();
}
Result<void> Execution::signal(int signal_number) {
  return state_->signal(signal_number);
}
Result<void> Execution::resize(std::uint16_t rows, std::uint16_t columns) {
  return state_->resize(rows, columns);
}
void Execution::cancel(int signal_number) {
  state_->cancel(signal_number);
}
void Execution::pause_output() {
  state_->pause_output(true);
}
void Execution::resume_output() {
  state_->pause_output(false);
}
Result<ExecutionOutput> Execution::wait() {
  return core::without_throwing([&] { return state_->wait(); });
}

Result<ExecutionOutput> RuntimeAdapter::execute(std::string command, std::vector<std::string> args,
                                                std::vector<EnvVar> env, std::string working_dir,
                                                std::chrono::milliseconds timeout) {
  ExecutionRequest request;
  if (args.empty()) {
    request.command = ShellLine{std::move(command)};
  } else {
    request.command = Program{std::move(command), std::move(args)};
  }
  request.env = std::move(env);
  request.working_dir = std::move(working_dir);
  request.timeout = timeout;
  return execute(std::move(request));
}

}  // namespace prx
