#include "core/stdio_ends.hpp"

#include <utility>

#include "base/overloaded.hpp"
#include "base/try.hpp"
#include "os/pipe.hpp"

namespace prx::core {
namespace {

Result<base::Fd> duplicate_target(const OutputTarget& target) {
  if (const auto* fd = std::get_if<OutputFd>(&target)) return os::duplicate(fd->fd);
  return base::Fd();
}

/// The command's side of a pipe goes to the slot, the other stays here.
Result<base::Fd> open_captured(OpenedStdio& stdio) {
  PRX_TRY(auto pipe, os::open_pipe());
  stdio.passed.push_back(pipe.second.get());
  stdio.opened.push_back(std::move(pipe.second));
  return std::move(pipe.first);
}

Result<void> open_output(const base::Fd& given, OpenedStdio& stdio, base::Fd& host_end) {
  if (given.is_open()) {
    stdio.passed.push_back(given.get());
    return {};
  }
  PRX_TRY(host_end, open_captured(stdio));
  return {};
}

Result<void> open_input(const StdioSource& source, OpenedStdio& stdio) {
  if (source.no_input) return {};
  if (source.input_fd.is_open()) {
    stdio.passed.push_back(source.input_fd.get());
    return {};
  }
  PRX_TRY(auto pipe, os::open_pipe());
  stdio.passed.push_back(pipe.first.get());
  stdio.opened.push_back(std::move(pipe.first));
  stdio.host.input = std::move(pipe.second);
  return {};
}

}  // namespace

Result<StdioSource> make_stdio_source(ExecutionRequest& request) {
  StdioSource source;
  source.terminal = request.terminal.has_value();
  source.no_input = std::holds_alternative<NoStdin>(request.input);
  source.streamed_input = std::holds_alternative<StdinStream>(request.input);
  if (auto* bytes = std::get_if<StdinBytes>(&request.input)) source.input_bytes = std::move(bytes->bytes);
  if (const auto* fd = std::get_if<StdinFd>(&request.input)) {
    PRX_TRY(source.input_fd, os::duplicate(fd->fd));
  }
  PRX_TRY(source.output_fd, duplicate_target(request.out));
  PRX_TRY(source.error_fd, duplicate_target(request.err));
  return source;
}

Result<OpenedStdio> open_stdio(const StdioSource& source, SlotStreams streams) {
  OpenedStdio stdio;
  if (source.terminal || streams == SlotStreams::frames) return stdio;
  PRX_CHECK(open_input(source, stdio));
  PRX_CHECK(open_output(source.output_fd, stdio, stdio.host.output));
  PRX_CHECK(open_output(source.error_fd, stdio, stdio.host.error));
  return stdio;
}

}  // namespace prx::core
