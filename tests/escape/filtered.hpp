#pragma once

#include <linux/filter.h>
#include <linux/seccomp.h>

#include <functional>
#include <string>
#include <vector>

namespace prx::test {

/// A call that a filter has told, and what was answered.
struct NotifiedCall {
  seccomp_data call{};
  int error = 0;
};

struct FilteredRun {
  int exit_code = -1;  ///< 128+signal when a signal ended it
  std::string out;     ///< stdout and stderr
  std::vector<NotifiedCall> notified;
};

/// Serves the listener once it is readable, and records what came.
using Listener = std::function<void(int listener, std::vector<NotifiedCall>& notified)>;

/// Answers each call with the errno of prx's own table; ENOSYS where the table does not know the call.
void answer_and_record(int listener, std::vector<NotifiedCall>& notified);

/// Runs `body` in a child under the filter, its stdout and stderr recorded, until all that it started has
/// closed them; its result is the exit code. An empty filter: none. Throws where the filter cannot be
/// installed.
FilteredRun run_filtered(const std::vector<sock_filter>& filter, const std::function<int()>& body,
                         const Listener& listener = answer_and_record);

/// The same for a line of /bin/bash, in `folder`.
FilteredRun run_filtered_line(const std::vector<sock_filter>& filter, const std::string& line,
                              const std::string& folder);

}  // namespace prx::test
