#include "core/execution_state.hpp"

#include <boost/asio/post.hpp>
#include <csignal>
#include <utility>

#include "base/log.hpp"
#include "base/try.hpp"
#include "core/descriptor_sink.hpp"
#include "core/execution_id.hpp"
#include "core/verdict.hpp"
#include "os/pipe.hpp"

namespace prx::core {

using protocol::ChannelId;

namespace {

/// A parked slot and, while the spawner is being killed, another that it took along unforked.
constexpr int kMaxDeadSlots = 4;

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
      backstop_(*context_) {}

Result<void> ExecutionState::begin() {
  if (settings_.watch_workspace) {
    PRX_TRY(watch_, settings_.watch_workspace(id_));
  }
  PRX_TRY(auto ends, send_request(slots_.take()));
  slot_time_ = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - started_);
  boost::asio::post(*context_, handler_of(shared_from_this(), [this, ends = std::move(ends)]() mutable {
    if (plan_.timeout.count() > 0) {
      arm_backstop(plan_.timeout + kGrace, TimedOut{plan_.timeout});
    }
    listen(std::move(ends));
  }));
  return {};
}

Result<HostEnds> ExecutionState::send_request(Result<Slot> slot) {
  if (!slot) return std::move(slot).error();
  fit_streams(plan_.fields, slot->streams);
  auto frames = protocol::encode_request_frames(plan_.fields);
  if (!frames) {
    return Error{
        ErrorKind::invalid_request,           "request", {}, 0, "arguments and environment are over 8 MiB",
        "pass the data on stdin or in a file"};
  }
  PRX_TRY(auto stdio, open_stdio(stdio_, slot->streams));
  slot_id_ = slot->id;
  slot_kind_ = slot->kind;
  planned_ = slot->planned;
  client_.emplace(*context_, slot->streams, frame_order_for(plan_.fields), make_slot_events());
  PRX_CHECK(client_->open(std::move(slot->stream)));
  frames_.reset();
  if (slot->streams == SlotStreams::frames) {
    frames_.emplace(*context_, *client_, out_, err_);
    PRX_CHECK(frames_->open(stdio_));
  }
  PRX_TRY(const bool sent, client_->send_request(*std::move(frames), stdio.passed));
  if (sent) return std::move(stdio.host);
  frames_.reset();  // the client reports a dead slot as soon as it listens
  return HostEnds{};
}

void ExecutionState::listen(HostEnds ends) {
  if (auto started = start_streams(std::move(ends)); !started) return finish(std::move(started).error());
  client_->start(shared_from_this());
}

SlotEvents ExecutionState::make_slot_events() {
  return {
      .terminal = [this](base::Fd master) { on_terminal(std::move(master)); },
      .data = [this](ChannelId channel, std::span<const std::byte> bytes) { on_data(channel, bytes); },
      .credit = [this] { frames_->on_credit(); },
      .input_refused = [this] { on_input_refused(); },
      .trailer = [this](const protocol::Trailer& trailer) { on_trailer(trailer); },
      .lost = [this](SlotEvents::Loss loss) { on_lost(loss); },
  };
}

Result<void> ExecutionState::start_streams(HostEnds ends) {
  const auto self = shared_from_this();
  if (ends.output.is_open()) PRX_CHECK(out_.start(std::move(ends.output), self));
  if (ends.error.is_open()) PRX_CHECK(err_.start(std::move(ends.error), self));
  PRX_TRY(auto sink, open_input(std::move(ends.input)));
  if (frames_) frames_->start(self, [this] { on_flushed(); });
  if (sink) start_input(std::move(sink));
  return {};
}

/// None where the host has nothing to write there, or nowhere yet.
Result<std::shared_ptr<InputSink>> ExecutionState::open_input(base::Fd host_end) {
  if (host_end.is_open()) return DescriptorSink::open(*context_, std::move(host_end));
  const bool written_here = stdio_.terminal || !(stdio_.no_input || stdio_.input_fd.is_open());
  if (frames_ && written_here) return std::shared_ptr<InputSink>(frames_->input());
  return std::shared_ptr<InputSink>();
}

void ExecutionState::start_input(std::shared_ptr<InputSink> sink) {
  const auto self = shared_from_this();
  in_.start(std::move(sink), stdio_.terminal, self);
  if (stdio_.streamed_input) return;
  in_.write(stdio_.input_bytes, self);
  in_.end(self);
}

void ExecutionState::close_streams() {
  out_.close();
  err_.close();
  in_.close();
  if (frames_) frames_->close();
  client_->close();
}

void ExecutionState::on_terminal(base::Fd master) {
  auto copy = os::duplicate(master.get());
  if (!copy) return finish(std::move(copy).error());
  auto sink = open_input(std::move(copy).value());
  if (!sink) return finish(std::move(sink).error());
  if (auto started = out_.start(std::move(master), shared_from_this()); !started)
    return finish(std::move(started).error());
  start_input(std::move(sink).value());
}

void ExecutionState::on_data(ChannelId channel, std::span<const std::byte> bytes) {
  frames_->take(channel, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

void ExecutionState::on_input_refused() {
  frames_->on_input_refused();
  in_.close();
}

void ExecutionState::on_trailer(const protocol::Trailer& trailer) {
  // What was refused when the slot was parked may work now.
  if (trailer.step == protocol::Step::slot && try_again()) return;
  if (trailer.cause == protocol::Cause::setup_failed) return finish(setup_error(trailer, plan_));
  client_->close();
  const auto drain_start = Clock::now();
  // Every process of the command has ended: what is in the pipes now is all there will be.
  out_.drain();
  err_.drain();
  if (frames_) {
    frames_->count_lost(ChannelId::out, trailer.dropped[0]);
    frames_->count_lost(ChannelId::err, trailer.dropped[1]);
  }
  after_flush([this, trailer, drain_start] {
    auto output = make_output();
    apply_trailer(trailer, plan_, output);
    output.timings.drain = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - drain_start);
    finish(std::move(output));
  });
}

void ExecutionState::on_lost(SlotEvents::Loss loss) {
  if (has_ended()) return;
  if (loss == SlotEvents::Loss::unread && try_again()) return;
  client_->close();
  slots_.clean_up_after(slot_id_);
  if (loss == SlotEvents::Loss::protocol)
    return give_up_on_slot_or_report(loss);  // nothing of it is waited for
  after_flush([this, loss] { give_up_on_slot_or_report(loss); });
}

/// What the command wrote to a descriptor of the caller's is there once the end is known, as if it had
/// written it itself.
void ExecutionState::after_flush(std::function<void()> then) {
  then_ = std::move(then);
  on_flushed();
}

void ExecutionState::on_flushed() {
  if (frames_ && !frames_->is_flushed()) return;
  if (const auto then = std::exchange(then_, nullptr)) then();
}

/// A slot that nothing ran in is replaced, once.
bool ExecutionState::try_again() {
  // What was written to a stream went into the dead slot's pipe and cannot be written again.
  const bool repeatable =
      (!stdio_.streamed_input || in_.is_untouched()) && (!frames_ || frames_->input_is_untouched());
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
  if (frames_) frames_->close();
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
  if (patience_ != Patience::killed) return finish(lost_error(loss));
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
  backstop_.async_wait(handler_of(shared_from_this(), [this](const boost::system::error_code& error) {
    if (!error) on_backstop();
  }));
}

void ExecutionState::on_backstop() {
  if (has_ended()) return;
  switch (patience_) {
    case Patience::waiting:
      patience_ = Patience::output_dropped;
      arm_backstop(kBackstop, *std::move(backstop_ending_));
      if (frames_) frames_->abandon_output();
      return;
    case Patience::output_dropped:
      patience_ = Patience::killed;
      arm_backstop(kBackstop, *std::move(backstop_ending_));
      return kill_slot();
    case Patience::killed:
      // Not even SIGKILL made it let go of its stream (a process in uninterruptible sleep): stop waiting.
      client_->close();
      return give_up_on_slot_or_report(SlotEvents::Loss::closed);
  }
}

void ExecutionState::kill_slot() {
  slots_.kill(slot_id_);
  (void)client_->kill_init();
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
  if (planned_) output.enforced = planned_->enforced;
  if (stdio_.terminal && planned_ && !planned_->limits_cpu_of_terminals) {
    std::erase_if(output.enforced, [](const EnforcedLimit& limit) { return limit.limit == "cpu_time"; });
  }
  output.slot = slot_kind_;
  output.env_withheld = settings_.env_withheld;
  output.warnings = settings_.warnings;
  if (frames_) {
    const auto& more = frames_->warnings();
    output.warnings.insert(output.warnings.end(), more.begin(), more.end());
  }
  return output;
}

void ExecutionState::finish(Result<ExecutionOutput> result) {
  close_streams();
  if (const auto watch = std::exchange(watch_, nullptr)) {
    auto moved = watch->end();
    if (result) result->quarantined = std::move(moved);
  }
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

void ExecutionState::on_no_memory() {
  if (has_ended()) return;
  kill_slot();
  finish(os::system_error("memory", ENOMEM));
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

}  // namespace prx::core
