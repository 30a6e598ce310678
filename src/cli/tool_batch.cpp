#include "cli/tool_batch.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/try.hpp"
#include "cli/output_json.hpp"
#include "cli/text_out.hpp"
#include "cli/tool_json.hpp"
#include "io/json_input.hpp"

namespace prx::cli {
namespace {

// Arguments, and what stands around them.
constexpr std::size_t kMaxLine = (1U << 20U) + 4096;
constexpr std::size_t kReadSize = 65536;

struct Line {
  std::size_t number = 0;
  std::string text;
  bool too_long = false;  ///< then nothing of it is kept
};

/// Lines of stdin, for whichever thread asks next.
class Lines {
 public:
  /// False at the end.
  bool next(Line& line) {
    const std::scoped_lock lock(mutex_);
    line = {++number_, {}, false};
    for (;;) {
      const auto end = buffer_.find('\n', start_);
      const std::size_t size = (end == std::string::npos ? buffer_.size() : end) - start_;
      line.too_long = line.too_long || line.text.size() + size > kMaxLine;
      if (!line.too_long) line.text.append(buffer_, start_, size);
      if (line.too_long) line.text.clear();
      start_ = end == std::string::npos ? buffer_.size() : end + 1;
      if (end != std::string::npos) return true;
      if (!refill()) return !line.text.empty() || line.too_long;
    }
  }

 private:
  bool refill() {
    buffer_.resize(kReadSize);
    start_ = 0;
    ssize_t size = 0;
    do {
      size = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
    } while (size < 0 && errno == EINTR);
    buffer_.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    return size > 0;
  }

  std::mutex mutex_;
  std::string buffer_;
  std::size_t start_ = 0;
  std::size_t number_ = 0;
};

class Batch {
 public:
  Batch(const Toolbox& toolbox, const BatchOptions& options) : toolbox_(toolbox), options_(options) {}

  void work() {
    Line line;
    while (!unread_ && lines_.next(line)) {
      if (line.text.find_first_not_of(" \t\r") == std::string::npos && !line.too_long) continue;
      answer(line);
    }
  }

  [[nodiscard]] Result<int> status() const {
    if (write_errno_ != 0 && write_errno_ != EPIPE) return write_error("stdout", write_errno_);
    return wrong_line_ ? 1 : 0;
  }

 private:
  void answer(const Line& line) {
    auto read = call_of(line);
    if (!read) {
      wrong_line_ = true;
      auto object = error_json(read.error());
      object.set("line", line.number);
      return print(object);
    }
    auto& [id, call] = *read;
    const auto result = toolbox_.call(call);
    auto object = io::Json::object();
    object.set("id", io::Json(id)).set("tool", call.tool);
    object.set("result", result_json(result));
    print(object);
  }

  [[nodiscard]] Result<std::pair<io::JsonValue, ToolCall>> call_of(const Line& line) const {
    const std::string subject = fmt::format("line {}", line.number);
    const auto wrong = [&](std::string detail) {
      return Error{ErrorKind::invalid_request,
                   "call",
                   subject,
                   0,
                   std::move(detail),
                   R"(write {"id": 1, "tool": "NAME", "arguments": {}})"};
    };
    if (line.too_long) return wrong(fmt::format("more than {} bytes", kMaxLine));
    PRX_TRY(const auto read,
            io::JsonInput::parse(line.text, "call", subject, {.bytes = kMaxLine, .depth = 33}));
    for (const auto& [name, value] : read.members()) {
      if (name != "id" && name != "tool" && name != "arguments")
        return wrong("has a member that is not known: " + name);
    }
    if (!read["tool"].is_text()) return wrong("names no tool");
    ToolCall call{.tool = read["tool"].text(), .timeout = options_.timeout};
    if (!read["arguments"].is_null()) call.arguments = read["arguments"].json();
    return std::pair(read["id"], std::move(call));
  }

  void print(const io::Json& object) {
    const std::string text = object.text() + "\n";
    const std::scoped_lock lock(mutex_);
    if (unread_ || write_all(STDOUT_FILENO, text)) return;
    write_errno_ = errno;
    unread_ = true;
  }

  const Toolbox& toolbox_;
  const BatchOptions& options_;
  Lines lines_;
  std::atomic<bool> unread_ = false;
  std::atomic<bool> wrong_line_ = false;
  std::mutex mutex_;
  int write_errno_ = 0;  // guarded by mutex_
};

}  // namespace

Result<int> run_batch(const Toolbox& toolbox, const BatchOptions& options) {
  Batch batch(toolbox, options);
  std::vector<std::jthread> threads;
  for (unsigned i = 1; i < options.jobs; ++i) threads.emplace_back([&] { batch.work(); });
  batch.work();
  threads.clear();
  return batch.status();
}

}  // namespace prx::cli
