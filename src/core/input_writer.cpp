#include "core/input_writer.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace prx::core {
namespace {
constexpr char kEndOfFile = 4;  // VEOF of a new terminal
}

void InputWriter::start(std::shared_ptr<InputSink> sink, bool terminal,
                        const std::shared_ptr<HandlerOwner>& owner) {
  terminal_ = terminal;
  sink_ = std::move(sink);
  waiting_ = false;
  if (terminal_ && ending_) queue_ += kEndOfFile;
  pump(owner);  // what was queued before there was somewhere to write it
}

void InputWriter::detach(bool forget_queue) {
  close();
  closed_.store(false, std::memory_order_release);
  if (!forget_queue) return;
  queue_.clear();
  written_ = 0;
  ending_ = false;
}

bool InputWriter::reserve(std::size_t size) noexcept {
  if (size > kMaxQueued) return false;
  if (reserved_.fetch_add(size) + size <= kMaxQueued) return true;
  reserved_.fetch_sub(size);
  return false;
}

void InputWriter::write(std::string bytes, const std::shared_ptr<HandlerOwner>& owner) {
  if (is_closed() || ending_) return;
  if (queue_.empty()) {
    queue_ = std::move(bytes);
  } else {
    queue_ += bytes;
  }
  pump(owner);
}

void InputWriter::end(const std::shared_ptr<HandlerOwner>& owner) {
  if (ending_) return;
  ending_ = true;
  if (terminal_) queue_ += kEndOfFile;
  pump(owner);
}

void InputWriter::pump(const std::shared_ptr<HandlerOwner>& owner) {
  // Before start() (a terminal's master comes later) everything waits in the queue.
  while (sink_ && written_ < queue_.size()) {
    const auto taken = sink_->take(std::string_view(queue_).substr(written_));
    if (!taken) return close();  // the command reads no more
    if (*taken == 0) return wait(owner);
    untouched_ = false;
    written_ += *taken;
    reserved_.fetch_sub(std::min(*taken, reserved_.load()));
  }
  if (sink_) finish();
}

void InputWriter::finish() {
  queue_.clear();
  written_ = 0;
  if (!ending_ || terminal_) return;
  sink_->end();
  close();
}

void InputWriter::wait(const std::shared_ptr<HandlerOwner>& owner) {
  if (std::exchange(waiting_, true)) return;
  sink_->when_ready(handler_of(owner, [this, sink = sink_, owner] {
    if (sink_ != sink) return;  // it was replaced
    waiting_ = false;
    pump(owner);
  }));
}

void InputWriter::close() {
  closed_.store(true, std::memory_order_release);
  if (const auto sink = std::exchange(sink_, nullptr)) sink->close();
}

}  // namespace prx::core
