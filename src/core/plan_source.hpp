#pragma once

#include <functional>
#include <memory>
#include <string>

#include <prx/result.hpp>

namespace prx::core {

/// How slots are confined, now: an encoded protocol::PlanFields. The same object for as long as it holds.
/// Any thread. An empty function: not confined at all.
using PlanSource = std::function<Result<std::shared_ptr<const std::string>>()>;

}  // namespace prx::core
