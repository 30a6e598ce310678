#include "core/planned_slot.hpp"

#include <unistd.h>

#include <utility>

#include "base/try.hpp"
#include "os/memory_file.hpp"
#include "os/pipe.hpp"

namespace prx::core {

Result<base::Fd> open_plan(const PlannedSlot& planned) {
  PRX_TRY(auto pipe, os::open_pipe());
  PRX_CHECK(os::set_nonblocking(pipe.second.get()));
  // A short write: larger than a pipe, or than what this user may have in pipes.
  const auto written = ::write(pipe.second.get(), planned.plan.data(), planned.plan.size());
  if (written == static_cast<ssize_t>(planned.plan.size())) return std::move(pipe.first);
  return os::open_memory_file("prx-plan", planned.plan);
}

}  // namespace prx::core
