#pragma once

#include <prx/supervision.hpp>

namespace prx::cli {

/// Asks whoever sits at the terminal, until the time is over. Without a terminal nobody answers: a denial.
void ask_terminal(const SupervisedCall& call, SupervisedAnswer answer);

}  // namespace prx::cli
