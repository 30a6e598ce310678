#include "base/log.hpp"

#include <memory>
#include <mutex>
#include <utility>

namespace prx::base {
namespace {

struct SharedSink {
  std::mutex mutex;
  std::shared_ptr<const LogSink> sink;
};

SharedSink& shared_sink() {
  // Never destroyed: a reactor thread may still log while the process ends.
  static auto& instance = *new SharedSink;
  return instance;
}

}  // namespace

void set_log_sink(LogSink sink) {
  auto& shared = shared_sink();
  auto next = sink ? std::make_shared<const LogSink>(std::move(sink)) : nullptr;
  const std::scoped_lock lock(shared.mutex);
  shared.sink = std::move(next);
}

void log(LogLevel level, std::string_view text) {
  auto& shared = shared_sink();
  std::shared_ptr<const LogSink> sink;
  {
    const std::scoped_lock lock(shared.mutex);
    sink = shared.sink;
  }
  if (sink) (*sink)(level, text);
}

}  // namespace prx::base
