#include "backends/docker/pull_progress.hpp"

#include <fmt/format.h>

#include "base/log.hpp"
#include "io/json_value.hpp"

namespace prx::backends {
namespace {
constexpr std::size_t kMostLine = 64U << 10U;
}

void PullProgress::take(std::string_view piece) {
  rest_ += piece;
  for (std::size_t end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n')) {
    take_line(std::string_view(rest_).substr(0, end));
    rest_.erase(0, end + 1);
  }
  if (rest_.size() > kMostLine) rest_.clear();  // no line of a daemon: nothing is learnt from it
}

void PullProgress::take_line(std::string_view line) {
  const auto value = io::JsonValue::parse_or_null(line);
  // `error` alone is what old daemons say.
  const auto failed = value["errorDetail"]["message"].text(value["error"].text());
  if (!failed.empty()) error_ = failed;
  const auto progress = value["progressDetail"];
  const auto total = progress["total"].number();
  if (total <= 0 || !value["status"].text().starts_with("Downloading")) return;
  layers_[value["id"].text()] = {static_cast<std::uint64_t>(progress["current"].number()),
                                 static_cast<std::uint64_t>(total)};
  tell();
}

std::string PullProgress::summary() const {
  constexpr double kMega = 1e6;
  std::uint64_t current = 0;
  std::uint64_t total = 0;
  for (const auto& [id, layer] : layers_) {
    current += layer.current;
    total += layer.total;
  }
  return fmt::format("{:.1f} of {:.1f} MB", static_cast<double>(current) / kMega,
                     static_cast<double>(total) / kMega);
}

void PullProgress::tell() {
  std::uint64_t current = 0;
  std::uint64_t total = 0;
  for (const auto& [id, layer] : layers_) {
    current += layer.current;
    total += layer.total;
  }
  const auto tenths = total == 0 ? 0 : current * 10 / total;
  if (tenths <= told_tenths_) return;
  told_tenths_ = tenths;
  base::log(base::LogLevel::info, fmt::format("pulling {}: {}", reference_, summary()));
}

}  // namespace prx::backends
