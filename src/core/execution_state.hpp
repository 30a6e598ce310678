#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include <prx/runtime.hpp>

#include "core/framed_streams.hpp"
#include "core/input_writer.hpp"
#include "core/output_reader.hpp"
#include "core/request_plan.hpp"
#include "core/slot_client.hpp"
#include "core/slot_source.hpp"
#include "core/stdio_ends.hpp"
#include "core/workspace_watch.hpp"

namespace prx::core {

/// One execution on the host's side, from plan to output. begin() runs on the caller's thread; everything
/// that comes from the slot runs on the reactor (or on the thread that runs `context` for a blocking call);
/// what an Execution handle calls may come from any thread and is posted there.
///
///     begin ──► running ──trailer──────► draining ──► ended
///                  │ └──stream lost──────► draining ──► ended (an error, or what the backstop killed)
///                  └──deadline, cancel + grace──► output that nobody takes is dropped
///                                      + backstop──► kill, then as above
class ExecutionState final : public HandlerOwner, public std::enable_shared_from_this<ExecutionState> {
 public:
  ExecutionState(std::shared_ptr<boost::asio::io_context> context, SlotSource& slots,
                 const Settings& settings, RequestPlan plan, StdioSource stdio, ExecutionEvents events);

  /// Opens the streams and hands the request to a slot, on the calling thread: what the command does from
  /// there on is listened to on the reactor. An error means that nothing runs.
  Result<void> begin();

  // For Execution: any thread.
  [[nodiscard]] const std::string& id() const noexcept { return id_; }
  Result<void> write_stdin(std::span<const char> bytes);
  Result<void> close_stdin();
  Result<void> signal(int signal_number);
  Result<void> resize(std::uint16_t rows, std::uint16_t columns);
  void cancel(int signal_number);
  void pause_output(bool paused);
  Result<ExecutionOutput> wait();

  [[nodiscard]] bool has_ended() const;
  /// For the thread that ran `context`, once has_ended().
  [[nodiscard]] Result<ExecutionOutput> take_result();

 private:
  using Clock = std::chrono::steady_clock;

  Result<HostEnds> send_request(Result<Slot> slot);
  void listen(HostEnds ends);
  void close_streams();
  [[nodiscard]] SlotEvents make_slot_events();
  Result<void> start_streams(HostEnds ends);
  Result<std::shared_ptr<InputSink>> open_input(base::Fd host_end);
  void start_input(std::shared_ptr<InputSink> sink);
  [[nodiscard]] bool try_again();
  void retry_on_cold_slot();
  [[nodiscard]] bool is_cancelled() const;

  void on_terminal(base::Fd master);
  void on_data(protocol::ChannelId channel, std::span<const std::byte> bytes);
  void on_input_refused();
  void on_trailer(const protocol::Trailer& trailer);
  void on_lost(SlotEvents::Loss loss);
  void on_no_memory() override;

  void arm_backstop(std::chrono::nanoseconds after, Ending ending);
  void on_backstop();
  void kill_slot();
  void after_flush(std::function<void()> then);
  void on_flushed();
  void give_up_on_slot_or_report(SlotEvents::Loss loss);

  [[nodiscard]] ExecutionOutput make_output();
  void finish(Result<ExecutionOutput> result);
  /// Any thread: for the reactor, unless the execution has ended by then.
  void post(std::function<void(ExecutionState&)> action);

  // A handle may outlive its runtime: what is below is destroyed through the context.
  const std::shared_ptr<boost::asio::io_context> context_;
  SlotSource& slots_;
  const Settings& settings_;
  RequestPlan plan_;
  StdioSource stdio_;
  ExecutionEvents events_;
  std::string id_;
  Clock::time_point started_ = Clock::now();

  std::unique_ptr<WorkspaceWatch> watch_;  // until the end; may be none
  std::optional<SlotClient> client_;
  std::optional<FramedStreams> frames_;  // with a slot that takes no descriptors
  std::function<void()> then_;           // once the last output is where it goes
  std::uint32_t slot_id_ = 0;
  SlotKind slot_kind_ = SlotKind::cold;
  std::shared_ptr<const PlannedSlot> planned_;  // of the slot
  OutputReader out_;
  OutputReader err_;
  InputWriter in_;
  /// What was done about a command that does not end, each step one firing of the backstop.
  enum class Patience : unsigned char { waiting, output_dropped, killed };

  boost::asio::steady_timer backstop_;
  std::optional<Ending> backstop_ending_;  // set once the backstop is armed
  Patience patience_ = Patience::waiting;
  int dead_slots_ = 0;  // that had not read the request
  std::chrono::microseconds slot_time_{};
  std::atomic<bool> input_ended_ = false;  // close_stdin() was called

  mutable std::mutex mutex_;
  std::condition_variable ended_changed_;
  std::optional<Result<ExecutionOutput>> result_;  // guarded by mutex_
  bool told_ = false;                              // guarded by mutex_: events_.ended has returned
};

}  // namespace prx::core
