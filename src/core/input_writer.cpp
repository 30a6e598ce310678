#include "core/input_writer.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/try.hpp"
#include "io/assign.hpp"

namespace prx::core {
namespace {
constexpr char kEndOfFile = 4;  // VEOF of a new terminal
}

InputWriter::InputWriter(boost::asio::io_context& context) : stream_(context) {}

Result<void> InputWriter::start(base::Fd fd, bool terminal, const std::shared_ptr<void>& keep_alive) {
  terminal_ = terminal;
  PRX_CHECK(io::assign(stream_, std::move(fd)));
  if (terminal_ && ending_) queue_ += kEndOfFile;
  pump(keep_alive);  // what was queued before there was somewhere to write it
  return {};
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

void InputWriter::write(std::string bytes, const std::shared_ptr<void>& keep_alive) {
  if (is_closed() || ending_) return;
  if (queue_.empty()) {
    queue_ = std::move(bytes);
  } else {
    queue_ += bytes;
  }
  pump(keep_alive);
}

void InputWriter::end(const std::shared_ptr<void>& keep_alive) {
  if (ending_) return;
  ending_ = true;
  if (terminal_) queue_ += kEndOfFile;
  pump(keep_alive);
}

void InputWriter::pump(const std::shared_ptr<void>& keep_alive) {
  // Before start() (a terminal's master comes later) everything waits in the queue.
  while (stream_.is_open() && written_ < queue_.size()) {
    const auto size = ::write(stream_.native_handle(), queue_.data() + written_, queue_.size() - written_);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) {
      wait(keep_alive);
      return;
    }
    if (size < 0) {  // the command reads no more
      close();
      return;
    }
    untouched_ = false;
    written_ += static_cast<std::size_t>(size);
    reserved_.fetch_sub(std::min(static_cast<std::size_t>(size), reserved_.load()));
  }
  if (stream_.is_open()) finish();
}

void InputWriter::finish() {
  queue_.clear();
  written_ = 0;
  if (ending_ && !terminal_) close();
}

void InputWriter::wait(const std::shared_ptr<void>& keep_alive) {
  if (std::exchange(waiting_, true)) return;
  stream_.async_wait(stream_.wait_write, [this, keep_alive](const auto&) {
    waiting_ = false;
    if (stream_.is_open()) pump(keep_alive);  // also after an error: it may be another descriptor by now
  });
}

void InputWriter::close() {
  closed_.store(true, std::memory_order_release);
  boost::system::error_code ignored;
  (void)stream_.close(ignored);
}

}  // namespace prx::core
