#include "core/fd_pumps.hpp"

#include <cerrno>
#include <utility>

namespace prx::core {
namespace {
/// Between two looks at other executions: a file is always ready, and must not starve them.
constexpr int kPiecesPerTurn = 4;
}  // namespace

void InputPump::start(std::shared_ptr<InputSink> to, std::shared_ptr<HandlerOwner> owner) {
  to_ = std::move(to);
  owner_ = std::move(owner);
  buffer_ = std::make_unique<std::array<char, 64U << 10U>>();
  pump();
}

void InputPump::pump() {
  auto step = Step::moved;
  for (int i = 0; i < kPiecesPerTurn && step == Step::moved; ++i) step = move_once();
  auto again = handler_of(owner_, [self = shared_from_this()] {
    if (self->from_.is_open()) self->pump();
  });
  switch (step) {
    case Step::done:
      return close();
    case Step::wait_for_sink:
      return to_->when_ready(std::move(again));
    case Step::moved:
    case Step::wait_for_source:
      return from_.when_ready(std::move(again));
  }
}

InputPump::Step InputPump::move_once() {
  if (waiting_.empty()) {
    if (const auto step = fill(); step != Step::moved) return step;
  }
  const auto taken = to_->take(waiting_);
  if (!taken) return Step::done;
  waiting_.remove_prefix(*taken);
  return waiting_.empty() ? Step::moved : Step::wait_for_sink;
}

InputPump::Step InputPump::fill() {
  const auto size = from_.read(*buffer_);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return Step::wait_for_source;
  if (size <= 0) {  // a source that fails has no more, either
    to_->end();
    return Step::done;
  }
  untouched_ = false;
  waiting_ = {buffer_->data(), static_cast<std::size_t>(size)};
  return Step::moved;
}

void InputPump::close() {
  from_.close();
  owner_.reset();
}

void OutputPump::start(Events events, std::shared_ptr<HandlerOwner> owner) {
  events_ = std::move(events);
  owner_ = std::move(owner);
}

void OutputPump::take(std::string_view bytes) {
  if (!to_.is_open()) return written(bytes.size());
  queue_ += bytes;
  if (!waiting_) pump();
}

void OutputPump::pump() {
  bool more = true;
  for (int i = 0; i < kPiecesPerTurn && more && !queue_.empty(); ++i) more = write_once();
  if (queue_.empty() || !to_.is_open()) return;
  waiting_ = true;
  to_.when_ready(handler_of(owner_, [self = shared_from_this()] {
    self->waiting_ = false;
    self->pump();
  }));
}

bool OutputPump::write_once() {
  const auto size = to_.write(queue_);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return false;
  if (size < 0) {
    const int error = errno;
    if (const auto refused = events_.refused) refused(error);
    abandon();
    return false;
  }
  queue_.erase(0, static_cast<std::size_t>(size));
  written(static_cast<std::size_t>(size));
  return true;
}

void OutputPump::written(std::size_t bytes) {
  if (const auto told = events_.written) told(static_cast<std::uint32_t>(bytes));
  if (!queue_.empty()) return;
  if (const auto flushed = events_.flushed) flushed();
}

void OutputPump::abandon() {
  to_.close();
  const auto thrown_away = std::exchange(queue_, {});
  if (!thrown_away.empty()) written(thrown_away.size());
}

void OutputPump::close() {
  to_.close();
  queue_.clear();
  events_ = {};
  owner_.reset();
}

}  // namespace prx::core
