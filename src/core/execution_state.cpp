#include "core/execution_state.hpp"

#include <boost/asio/post.hpp>
#include <csignal>
#include <utility>

#include "base/log.hpp"
#include "base/try.hpp"
#include "core/execution_id.hpp"
#include "core/verdict.hpp"
#include "os/pipe.hpp"
#include "protocol/cursor.hpp"

namespace prx::core {

using protocol::ChannelId;
using protocol::FrameType;

namespace {

/// A parked slot and, while the spawner is being killed, another that it took along unforked.
constexpr int kMaxDeadSlots = 4;

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

Error lost_error(SlotEvents::Loss loss) {
  if (loss == SlotEvents::Loss::protocol) {
    return {
        ErrorKind::internal, "slot", "prx-init", 0, "it broke the slot protocol; the slot was destroyed", {}};
  }
  if (loss == SlotEvents::Loss::no_room) return os::system_error("terminal", EMFILE);
  return {ErrorKind::disconnected,
          "slot",
          "prx-init",
          0,
          "it was killed before it could report; the command was ended with it",
          "run the command again if that is safe"};
}

}  // namespace

ExecutionState::ExecutionState(std::shared_ptr<boost::asio::io_context> context, SlotSource& slots,
                               const Settings& settings, RequestPlan plan, StdioSource stdio,
                               ExecutionEvents events)
    : context_(std::move(context)),
      slots_(slots),
      settings_(settings),
      plan_(std::move(plan)),
      stdio_(std::move(stdio)),
      events_(std::move(events)),
      id_(make_execution_id()),
      out_(*context_, Channel::out, plan_.max_output, &events_.output),
      err_(*context_, Channel::err, plan_.max_output, &events_.output),
      in_(*context_),
      backstop_(*context_) {}

Result<void> ExecutionState::begin() {
  PRX_TRY(auto ends, send_request(slots_.take()));
  slot_time_ = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - started_);
  boost::asio::post(*context_, [self = shared_from_this(), ends = std::move(ends)]() mutable {
    if (self->plan_.timeout.count() > 0) {
      self->arm_backstop(self->plan_.timeout + kGrace + kBackstop, TimedOut{self->plan_.timeout});
    }
    self->listen(std::move(ends));
  });
  return {};
}

Result<HostEnds> ExecutionState::send_request(Result<Slot> slot) {
  if (!slot) return std::move(slot).error();
  auto frames = protocol::encode_request_frames(plan_.fields);
  if (!frames) {
    return Error{
        ErrorKind::invalid_request,           "request", {}, 0, "arguments and environment are over 8 MiB",
        "pass the data on stdin or in a file"};
  }
  PRX_TRY(auto stdio, open_stdio(stdio_));
  slot_id_ = slot->id;
  slot_kind_ = slot->kind;
  const auto order = protocol::SlotFrameOrder(/*framed=*/false, /*terminal=*/stdio_.terminal);
  client_.emplace(*context_, order, make_slot_events());
  PRX_CHECK(client_->open(std::move(slot->stream)));
  PRX_TRY(const bool sent, client_->send_request(*std::move(frames), stdio.passed));
  if (!sent) return HostEnds{};  // the client reports a dead slot as soon as it listens
  return std::move(stdio.host);
}

void ExecutionState::listen(HostEnds ends) {
  if (auto started = start_streams(std::move(ends)); !started) return finish(std::move(started).error());
  client_->start(shared_from_this());
}

SlotEvents ExecutionState::make_slot_events() {
  return {
      .terminal = [this](base::Fd master) { on_terminal(std::move(master)); },
      .data = [this](ChannelId channel, std::span<const std::byte> bytes) { on_data(channel, bytes); },
      .trailer = [this](const protocol::Trailer& trailer) { on_trailer(trailer); },
      .lost = [this](SlotEvents::Loss loss) { on_lost(loss); },
  };
}

Result<void> ExecutionState::start_streams(HostEnds ends) {
  const auto self = shared_from_this();
  if (ends.output.is_open()) PRX_CHECK(out_.start(std::move(ends.output), self));
  if (ends.error.is_open()) PRX_CHECK(err_.start(std::move(ends.error), self));
  if (!ends.input.is_open()) return {};
  PRX_CHECK(in_.start(std::move(ends.input), /*terminal=*/false, self));
  if (stdio_.streamed_input) return {};
  in_.write(stdio_.input_bytes, self);
  in_.end(self);
  return {};
}

void ExecutionState::close_streams() {
  out_.close();
  err_.close();
  in_.close();
  client_->close();
}

void ExecutionState::on_terminal(base::Fd master) {
  const auto self = shared_from_this();
  auto copy = os::duplicate(master.get());
  const bool opened = copy && out_.start(std::move(master), self) &&
                      in_.start(std::move(copy).value(), /*terminal=*/true, self);
  if (!opened) {
    finish(os::system_error("terminal", errno));
  } else if (!stdio_.streamed_input) {
    in_.end(self);
  }
}

void ExecutionState::on_data(ChannelId channel, std::span<const std::byte> bytes) {
  auto& reader = channel == ChannelId::out ? out_ : err_;
  reader.take({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const auto size = static_cast<std::uint32_t>(bytes.size());
  client_->order().consumed(channel, size);
  client_->send_u32(FrameType::credit, channel, size);
}

void ExecutionState::on_trailer(const protocol::Trailer& trailer) {
  // What was refused when the slot was parked may work now.
  if (trailer.step == protocol::Step::slot && try_again()) return;
  if (trailer.cause == protocol::Cause::setup_failed) return finish(setup_error(trailer, plan_));
  const auto drain_start = Clock::now();
  // Every process of the command has ended: what is in the pipes now is all there will be.
  out_.drain();
  err_.drain();
  auto output = make_output();
  apply_trailer(trailer, plan_, output);
  output.timings.drain = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - drain_start);
  finish(std::move(output));
}

void ExecutionState::on_lost(SlotEvents::Loss loss) {
  if (has_ended()) return;
  if (loss == SlotEvents::Loss::unread && try_again()) return;
  client_->close();
  slots_.clean_up_after(slot_id_);
  give_up_on_slot_or_report(loss);
}

/// A slot that nothing ran in is replaced, once.
bool ExecutionState::try_again() {
  // What was written to a stream went into the dead slot's pipe and cannot be written again.
  const bool repeatable = !stdio_.streamed_input || in_.is_untouched();
  if (!repeatable || ++dead_slots_ > kMaxDeadSlots) return false;
  base::log(base::LogLevel::info, "a slot was dead before it read its request; using a new one");
  client_->close();
  // Not from within the client that is to be replaced.
  post([](ExecutionState& self) { self.retry_on_cold_slot(); });
  return true;
}

void ExecutionState::retry_on_cold_slot() {
  out_.close();
  err_.close();
  in_.detach(/*forget_queue=*/!stdio_.streamed_input);
  if (is_cancelled()) {  // what the dead slot was told, a new one would not know
    auto output = make_output();
    output.ending = *backstop_ending_;
    output.exit_code = exit_code_of(output.ending);
    return finish(std::move(output));
  }
  auto ends = send_request(slots_.take_cold());
  return ends ? listen(std::move(ends).value()) : finish(std::move(ends).error());
}

bool ExecutionState::is_cancelled() const {
  return backstop_ending_ && std::holds_alternative<Cancelled>(*backstop_ending_);
}

void ExecutionState::give_up_on_slot_or_report(SlotEvents::Loss loss) {
  if (!backstop_fired_) return finish(lost_error(loss));
  out_.drain();
  err_.drain();
  auto output = make_output();
  output.ending = *backstop_ending_;
  output.exit_code = exit_code_of(output.ending);
  output.unresponsive = true;
  output.warnings.emplace_back("prx-init did not answer; the host ended the slot");
  finish(std::move(output));
}

void ExecutionState::arm_backstop(std::chrono::nanoseconds after, Ending ending) {
  backstop_ending_ = std::move(ending);
  backstop_.expires_after(after);
  backstop_.async_wait([self = shared_from_this()](const auto& error) {
    if (!error) self->on_backstop();
  });
}

void ExecutionState::on_backstop() {
  if (has_ended()) return;
  if (std::exchange(backstop_fired_, true)) {
    // Not even SIGKILL made it let go of its stream (a process in uninterruptible sleep): stop waiting.
    client_->close();
    return give_up_on_slot_or_report(SlotEvents::Loss::closed);
  }
  slots_.kill(slot_id_);
  (void)client_->kill_init();
  arm_backstop(kBackstop, *std::move(backstop_ending_));
}

ExecutionOutput ExecutionState::make_output() {
  ExecutionOutput output;
  output.id = id_;
  output.out = out_.take_captured();
  output.err = err_.take_captured();
  output.duration = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - started_);
  output.timings.slot = slot_time_;
  output.backend = settings_.backend;
  output.sandbox = settings_.sandbox;
  output.denials_observed = settings_.denials_observed;
  output.slot = slot_kind_;
  output.env_withheld = settings_.env_withheld;
  output.warnings = settings_.warnings;
  return output;
}

void ExecutionState::finish(Result<ExecutionOutput> result) {
  close_streams();
  backstop_.cancel();
  // Whoever waits for the end of what the command wrote must see it, however long the handle is kept.
  stdio_.close();
  out_.delivery().finish();
  err_.delivery().finish();
  {
    const std::scoped_lock lock(mutex_);
    result_ = std::move(result);
  }
  if (events_.ended) events_.ended(*result_);
  {
    // Only now: whoever waits may destroy what the callbacks refer to.
    const std::scoped_lock lock(mutex_);
    told_ = true;
  }
  ended_changed_.notify_all();
  slots_.refill();
}

bool ExecutionState::has_ended() const {
  const std::scoped_lock lock(mutex_);
  return result_.has_value();
}

Result<ExecutionOutput> ExecutionState::take_result() {
  return *std::move(result_);
}

Result<ExecutionOutput> ExecutionState::wait() {
  std::unique_lock lock(mutex_);
  ended_changed_.wait(lock, [this] { return told_; });
  return *result_;
}

template <class F>
void ExecutionState::post(F&& action) {
  // Under the lock: once the end is known, the runtime may be gone and nobody runs what is posted.
  const std::scoped_lock lock(mutex_);
  if (result_) return;
  boost::asio::post(*context_, [self = shared_from_this(), action = std::forward<F>(action)]() mutable {
    if (!self->has_ended()) action(*self);
  });
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
  post([signal_number](ExecutionState& self) {
    self.client_->send_u32(FrameType::signal, ChannelId::control, static_cast<std::uint32_t>(signal_number));
  });
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
    if (!self.backstop_fired_) self.arm_backstop(kGrace + kBackstop, Cancelled{signal_number});
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
