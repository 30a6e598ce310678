#pragma once

#include <cstdint>

#include "protocol/trailer.hpp"

namespace prx::init {

/// What a command says of its own end, where it is run by this program itself (an engine's guest). Its
/// process ends at once with SIGKILL; taking it down may last longer than all of its run, and is not waited
/// for.
struct CommandReport {
  protocol::Step step = protocol::Step::none;  ///< set: it never ran, for `error` and `text`
  int error = 0;
  int exit_code = 0;
  protocol::Trap trap = protocol::Trap::none;
  bool out_of_memory = false;
  std::uint64_t started_ns = 0;  ///< monotonic
  std::uint64_t user_us = 0;
  std::uint64_t system_us = 0;
  std::uint64_t max_rss_bytes = 0;
  std::uint32_t text_size = 0;
  char text[1024] = {};
};

enum class ReportRead : unsigned char { later, none, whole };
/// One that does not come whole is none: then the end of the process tells.
[[nodiscard]] ReportRead receive_report(int fd, CommandReport& report);

/// What the report says of the command's end, or of why it never ran. The text stays the report's.
void note_report(const CommandReport& report, protocol::Trailer& trailer);

}  // namespace prx::init
