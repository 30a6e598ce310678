#pragma once

#include "core/input_sink.hpp"
#include "core/slot_client.hpp"

namespace prx::core {

/// Data frames to a slot, within the credit that it grants.
class FrameSink final : public InputSink {
 public:
  explicit FrameSink(SlotClient& client) : client_(client) {}

  std::optional<std::size_t> take(std::string_view bytes) override;
  void when_ready(std::function<void()> ready) override { ready_ = std::move(ready); }
  void end() override;
  void close() override { ready_ = nullptr; }

  /// The slot has granted more.
  void on_credit() { call_ready(); }
  /// The command reads no more.
  void on_refused();

 private:
  void call_ready();

  SlotClient& client_;
  std::function<void()> ready_;
  bool refused_ = false;
};

}  // namespace prx::core
