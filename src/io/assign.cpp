#include "io/assign.hpp"

#include "os/pipe.hpp"

namespace prx::io {

Result<void> assign(boost::asio::posix::stream_descriptor& stream, base::Fd fd) {
  boost::system::error_code error;
  (void)stream.assign(fd.get(), error);
  if (error) return os::system_error("reactor", error.value());
  (void)fd.release();
  (void)stream.native_non_blocking(true, error);
  if (error) return os::system_error("reactor", error.value());
  return {};
}

}  // namespace prx::io
