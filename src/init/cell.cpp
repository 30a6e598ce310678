#include "init/cell.hpp"

#include "init/landlock.hpp"
#include "init/seccomp.hpp"

namespace prx::init {

using protocol::Confinement;
using protocol::Step;

ConfineResult confine(const Cell& cell, Confined& confined) {
  if (cell.plan == nullptr) return {};
  const auto& plan = *cell.plan;
  if (plan.confinement == Confinement::namespaces) {
    confined.tree = ProcessTree(true);
    if (const auto entered = enter_namespaces(plan, cell.network, cell.identity); !entered.ok())
      return entered;
  }
  std::string_view subject;
  if (const long error = make_ruleset(plan, confined.ruleset, subject); error < 0) {
    return {Step::landlock, static_cast<int>(-error), subject};
  }
  // Last: from here on this process, too, makes only the calls that the command may make.
  const long filter = install_filter(plan, confined.listener);
  if (filter < 0) return {Step::seccomp, static_cast<int>(-filter), {}};
  return {};
}

}  // namespace prx::init
