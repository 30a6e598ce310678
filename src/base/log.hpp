#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace prx::base {

enum class LogLevel : std::uint8_t { debug, info, warning };

using LogSink = std::function<void(LogLevel, std::string_view)>;

/// Replaces where log lines go; an empty sink (the start) drops them. Thread-safe.
void set_log_sink(LogSink sink);

void log(LogLevel level, std::string_view text);

}  // namespace prx::base
