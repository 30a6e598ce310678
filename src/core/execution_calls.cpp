// What an Execution handle asks of its command, from any thread.
#include <array>
#include <boost/asio/post.hpp>
#include <csignal>
#include <future>
#include <memory>
#include <utility>

#include "core/execution_state.hpp"
#include "protocol/cursor.hpp"

namespace prx::core {

using protocol::ChannelId;
using protocol::FrameType;

namespace {

Error ended_error(const char* step) {
  return {ErrorKind::disconnected, step, {}, 0, "the command has ended or has closed its stdin", {}};
}

Error no_stream_error() {
  return {ErrorKind::invalid_request, "stdin", {}, 0, "this execution has no streamed stdin",
          "request StdinStream"};
}

bool is_signal(int number) {
  return number > 0 && number <= SIGRTMAX;
}

}  // namespace

void ExecutionState::post(std::function<void(ExecutionState&)> action) {
  // Under the lock: once the end is known, the runtime may be gone and nobody runs what is posted.
  const std::scoped_lock lock(mutex_);
  if (result_) return;
  boost::asio::post(*context_, handler_of(shared_from_this(), [this, action = std::move(action)] {
    if (!has_ended()) action(*this);
  }));
}

Result<void> ExecutionState::write_stdin(std::span<const char> bytes) {
  if (!stdio_.streamed_input) return no_stream_error();
  if (input_ended_ || in_.is_closed() || has_ended()) return ended_error("stdin");
  if (!in_.reserve(bytes.size())) {
    return Error{ErrorKind::exhausted, "stdin", {}, 0, "8 MiB are queued and the command does not read",
                 "write less, later"};
  }
  post([text = std::string(bytes.data(), bytes.size())](ExecutionState& self) mutable {
    self.in_.write(std::move(text), self.shared_from_this());
  });
  return {};
}

Result<void> ExecutionState::close_stdin() {
  if (!stdio_.streamed_input) return no_stream_error();
  if (has_ended()) return ended_error("stdin");
  input_ended_ = true;
  post([](ExecutionState& self) { self.in_.end(self.shared_from_this()); });
  return {};
}

Result<void> ExecutionState::signal(int signal_number) {
  if (!is_signal(signal_number)) {
    return Error{ErrorKind::invalid_request, "signal", std::to_string(signal_number), 0,
                 "no such signal",           {}};
  }
  if (has_ended()) return ended_error("signal");
  // Goes with the last copy of the action, whether that was run or thrown away.
  auto sent = std::make_shared<std::promise<void>>();
  const auto is_sent = sent->get_future();
  post([signal_number, sent = std::move(sent)](ExecutionState& self) {
    self.client_->send_u32(FrameType::signal, ChannelId::control, static_cast<std::uint32_t>(signal_number));
  });
  // Whoever stops a command may be about to stop itself, and its reactor with it.
  if (!context_->get_executor().running_in_this_thread()) is_sent.wait();
  return {};
}

Result<void> ExecutionState::resize(std::uint16_t rows, std::uint16_t columns) {
  if (!stdio_.terminal) {
    return Error{ErrorKind::invalid_request, "resize", {}, 0, "this execution has no terminal", {}};
  }
  if (has_ended()) return ended_error("resize");
  post([rows, columns](ExecutionState& self) {
    std::array<std::byte, 4> payload{};
    protocol::Writer writer(payload);
    writer.u16(rows);
    writer.u16(columns);
    self.client_->send(FrameType::resize, ChannelId::control, payload);
  });
  return {};
}

void ExecutionState::cancel(int signal_number) {
  if (!is_signal(signal_number)) signal_number = SIGTERM;
  post([signal_number](ExecutionState& self) {
    self.client_->send_u32(FrameType::cancel, ChannelId::control, static_cast<std::uint32_t>(signal_number));
    if (self.patience_ == Patience::killed) return;
    self.patience_ = Patience::waiting;
    self.arm_backstop(kGrace, Cancelled{signal_number});
  });
}

void ExecutionState::pause_output(bool paused) {
  post([paused](ExecutionState& self) {
    for (auto* reader : {&self.out_, &self.err_}) {
      if (paused) {
        reader->delivery().pause();
      } else {
        reader->delivery().resume();
      }
    }
  });
}

}  // namespace prx::core
