#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <prx/request.hpp>
#include <prx/result.hpp>

#include "core/settings.hpp"
#include "core/slot_source.hpp"
#include "protocol/frame_order.hpp"
#include "protocol/request_encoder.hpp"

namespace prx::core {

/// An execution before anything was opened: what the slot will be told, and what the host keeps to itself.
struct RequestPlan {
  protocol::RequestFields fields;
  std::chrono::milliseconds timeout{0};  ///< zero: none
  std::uint64_t max_output = 0;
  Bytes max_memory;             ///< zero: none
  bool has_file_limit = false;  ///< of file sizes
};

/// Pure: the same request, settings and directory give the same plan. Error kind invalid_request for a
/// request that contradicts itself or names something impossible.
[[nodiscard]] Result<RequestPlan> plan_request(const ExecutionRequest& request, const Settings& settings,
                                               std::string_view current_dir);

/// Makes a planned request (of descriptors) or one that was made for another slot fit a slot.
void fit_streams(protocol::RequestFields& fields, SlotStreams streams);
/// What a slot may send that got this request.
[[nodiscard]] protocol::SlotFrameOrder frame_order_for(const protocol::RequestFields& fields);

}  // namespace prx::core
