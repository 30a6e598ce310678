#include "contract/events.hpp"

namespace prx::test {

ExecutionEvents OutputLog::events() {
  return {
      .output =
          [this](const OutputChunk& chunk) {
            const std::scoped_lock lock(mutex_);
            output_after_end_ |= endings_ > 0;
            stream(chunk.channel).text.append(chunk.data.data(), chunk.data.size());
            stream(chunk.channel).missed += chunk.missed;
            changed_.notify_all();
          },
      .ended =
          [this](const Result<ExecutionOutput>&) {
            const std::scoped_lock lock(mutex_);
            ++endings_;
            changed_.notify_all();
          },
  };
}

bool OutputLog::wait_for(std::string_view text, std::chrono::milliseconds deadline) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, deadline, [&] { return out_.text.find(text) != std::string::npos; });
}

bool OutputLog::wait_for_end(std::chrono::milliseconds deadline) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, deadline, [&] { return endings_ > 0; });
}

std::string OutputLog::text(Channel channel) const {
  const std::scoped_lock lock(mutex_);
  return stream(channel).text;
}

std::uint64_t OutputLog::missed(Channel channel) const {
  const std::scoped_lock lock(mutex_);
  return stream(channel).missed;
}

int OutputLog::endings() const {
  const std::scoped_lock lock(mutex_);
  return endings_;
}

bool OutputLog::output_after_end() const {
  const std::scoped_lock lock(mutex_);
  return output_after_end_;
}

}  // namespace prx::test
