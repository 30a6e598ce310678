#include "core/output_reader.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <span>
#include <utility>

#include "base/try.hpp"
#include "io/assign.hpp"

namespace prx::core {
namespace {

/// A pipe holds 64 KiB at first: a command that fills it waits for each read, and every wait is a switch on
/// two processors. With more room both go on (measured: half the time). An ordinary user's pipes may hold 64
/// MiB in all, so only the busy ones get it.
constexpr std::size_t kBusyPipeSize = 256U << 10U;
constexpr std::size_t kFullPipe = 64U << 10U;
constexpr std::size_t kSmallRead = 16U << 10U;  // on the stack of a host's thread
/// A terminal's FIONREAD leaves out what its line discipline has not seen yet; that is at most this much.
/// More than this may come only from a writer that is not the command's.
constexpr int kOnItsWay = 64 << 10;
/// Between two looks at other executions: one that never stops printing must not starve them.
constexpr int kReadsPerTurn = 4;

}  // namespace

OutputReader::OutputReader(boost::asio::io_context& context, Channel channel, std::uint64_t limit,
                           const std::function<void(const OutputChunk&)>* consumer)
    : stream_(context), kept_(limit), delivery_(channel, limit, consumer) {}

Result<void> OutputReader::start(base::Fd fd, const std::shared_ptr<HandlerOwner>& owner) {
  PRX_CHECK(io::assign(stream_, std::move(fd)));
  owner_ = owner;
  wait();
  return {};
}

void OutputReader::wait() {
  stream_.async_wait(stream_.wait_read, handler_of(owner_, [this] {
                       // An error, too, is found by reading: see io/assign.hpp.
                       if (stream_.is_open() && read_turn()) wait();
                     }));
}

/// False at the end.
bool OutputReader::read_turn() {
  // After a part the pipe is empty, or its writer is filling it at this moment: reading on would only fetch
  // crumbs, and contend for the pipe's lock.
  auto result = Read::full;
  for (int i = 0; i < kReadsPerTurn && result == Read::full; ++i) result = read_once(kBusyPipeSize);
  if (result == Read::end) return false;
  if (kept_.total_bytes() >= kFullPipe) prepare_for_much();
  return true;
}

void OutputReader::prepare_for_much() {
  if (busy_buffer_) return;
  busy_buffer_ = std::make_unique_for_overwrite<char[]>(kBusyPipeSize);
  // Not for a terminal, and not past the user's limit: then it stays as it is.
  ::fcntl(stream_.native_handle(), F_SETPIPE_SZ, kBusyPipeSize);
}

OutputReader::Read OutputReader::read_once(std::size_t at_most) {
  std::array<char, kSmallRead> small_buffer;
  const auto buffer =
      busy_buffer_ ? std::span(busy_buffer_.get(), kBusyPipeSize) : std::span<char>(small_buffer);
  const auto wanted = std::min(at_most, buffer.size());
  const auto size = ::read(stream_.native_handle(), buffer.data(), wanted);
  if (size > 0) {
    const auto got = static_cast<std::size_t>(size);
    take({buffer.data(), got});
    return got == wanted ? Read::full : Read::part;
  }
  if (size < 0 && errno == EINTR) return Read::full;  // try again at once
  if (size < 0 && errno == EAGAIN) return Read::nothing_yet;
  close();  // the end; EIO from a pty whose other side is closed
  return Read::end;
}

void OutputReader::take(std::string_view bytes) {
  kept_.append(bytes);
  delivery_.deliver(bytes);
}

void OutputReader::count_lost(std::uint64_t bytes) {
  kept_.count_lost(bytes);
  delivery_.count_missed(bytes);
}

void OutputReader::drain() {
  if (!stream_.is_open()) return;
  int left = 0;
  if (::ioctl(stream_.native_handle(), FIONREAD, &left) != 0) left = 0;
  left += kOnItsWay;
  while (left > 0) {
    const auto before = kept_.total_bytes();
    const auto result = read_once(static_cast<std::size_t>(left));
    if (result == Read::nothing_yet || result == Read::end) break;
    left -= static_cast<int>(kept_.total_bytes() - before);
  }
  close();
}

void OutputReader::close() {
  boost::system::error_code ignored;
  (void)stream_.close(ignored);
  owner_.reset();
}

}  // namespace prx::core
