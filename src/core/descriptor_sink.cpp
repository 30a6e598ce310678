#include "core/descriptor_sink.hpp"

#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/try.hpp"
#include "io/assign.hpp"

namespace prx::core {

Result<std::shared_ptr<InputSink>> DescriptorSink::open(boost::asio::io_context& context, base::Fd fd) {
  auto sink = std::make_shared<DescriptorSink>(context);
  PRX_CHECK(io::assign(sink->stream_, std::move(fd)));
  return std::shared_ptr<InputSink>(std::move(sink));
}

std::optional<std::size_t> DescriptorSink::take(std::string_view bytes) {
  std::size_t taken = 0;
  while (taken < bytes.size()) {
    const auto size = ::write(stream_.native_handle(), bytes.data() + taken, bytes.size() - taken);
    if (size < 0 && errno == EINTR) continue;
    if (size < 0 && errno == EAGAIN) break;
    if (size < 0) return std::nullopt;
    taken += static_cast<std::size_t>(size);
  }
  return taken;
}

void DescriptorSink::when_ready(std::function<void()> ready) {
  // Also after an error: see io/assign.hpp.
  stream_.async_wait(stream_.wait_write, [self = shared_from_this(), ready = std::move(ready)](const auto&) {
    if (self->stream_.is_open()) ready();
  });
}

void DescriptorSink::close() {
  boost::system::error_code ignored;
  stream_.close(ignored);
}

}  // namespace prx::core
