#include "core/output_reader.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/try.hpp"
#include "io/assign.hpp"

namespace prx::core {
namespace {

constexpr std::size_t kReadSize = 64U << 10U;
/// Between two looks at other executions: one that never stops printing must not starve them.
constexpr int kReadsPerTurn = 16;

}  // namespace

OutputReader::OutputReader(boost::asio::io_context& context, Channel channel, std::uint64_t limit,
                           const std::function<void(const OutputChunk&)>* consumer)
    : stream_(context), kept_(limit), delivery_(channel, limit, consumer) {}

Result<void> OutputReader::start(base::Fd fd, std::shared_ptr<void> keep_alive) {
  PRX_CHECK(io::assign(stream_, std::move(fd)));
  wait(std::move(keep_alive));
  return {};
}

void OutputReader::wait(std::shared_ptr<void> keep_alive) {
  stream_.async_wait(stream_.wait_read,
                     [this, keep_alive = std::move(keep_alive)](const auto& error) mutable {
                       if (error || !stream_.is_open()) return;
                       auto result = Read::again;
                       for (int i = 0; i < kReadsPerTurn && result == Read::again; ++i)
                         result = read_once(kReadSize);
                       if (result != Read::end) wait(std::move(keep_alive));
                     });
}

OutputReader::Read OutputReader::read_once(std::size_t at_most) {
  thread_local std::array<char, kReadSize> buffer;
  const auto size = ::read(stream_.native_handle(), buffer.data(), std::min(at_most, buffer.size()));
  if (size > 0) {
    take({buffer.data(), static_cast<std::size_t>(size)});
    return Read::again;
  }
  if (size < 0 && errno == EINTR) return Read::again;
  if (size < 0 && errno == EAGAIN) return Read::would_block;
  close();  // the end; EIO from a pty whose other side is closed
  return Read::end;
}

void OutputReader::take(std::string_view bytes) {
  kept_.append(bytes);
  delivery_.deliver(bytes);
}

void OutputReader::drain() {
  if (!stream_.is_open()) return;
  int left = 0;
  if (::ioctl(stream_.native_handle(), FIONREAD, &left) != 0) left = 0;
  while (left > 0) {
    const auto before = kept_.total_bytes();
    const auto result = read_once(static_cast<std::size_t>(left));
    if (result != Read::again) break;
    left -= static_cast<int>(kept_.total_bytes() - before);
  }
  close();
}

void OutputReader::close() {
  boost::system::error_code ignored;
  stream_.close(ignored);
}

}  // namespace prx::core
