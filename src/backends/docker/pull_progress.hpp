#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace prx::backends {

/// What a daemon tells while it pulls an image: JSON values, one a line, in pieces that end anywhere. What it
/// tells goes to the log, a line for each tenth of the bytes.
class PullProgress {
 public:
  explicit PullProgress(std::string reference) : reference_(std::move(reference)) {}

  void take(std::string_view piece);

  /// Why it failed; empty as long as it has not.
  [[nodiscard]] const std::string& error() const noexcept { return error_; }
  /// "12 of 30 MB".
  [[nodiscard]] std::string summary() const;

 private:
  struct Layer {
    std::uint64_t current = 0;
    std::uint64_t total = 0;
  };

  void take_line(std::string_view line);
  void tell();

  const std::string reference_;
  std::string rest_;  // of a line that is not complete
  std::map<std::string, Layer> layers_;
  std::string error_;
  std::uint64_t told_tenths_ = 0;
};

}  // namespace prx::backends
