#include "init/cell.hpp"

#include "init/landlock.hpp"
#include "init/seccomp.hpp"

namespace prx::init {

using protocol::Confinement;
using protocol::SlotPlan;
using protocol::Step;

namespace {

ConfineResult failure(Step step, long error, std::string_view subject = {}) {
  return {step, static_cast<int>(-error), subject};
}

/// On the host's tree and among its processes: what the command may reach is up to Landlock and seccomp.
ConfineResult confine_in_place(const Cell& cell, Confined& confined) {
  const auto& plan = *cell.plan;
  std::string_view subject;
  if (cell.folders != nullptr) {
    const long error = cell.folders->make(plan, cell.slot, plan.uid, plan.gid, confined.folder, subject);
    if (error < 0) return failure(Step::mount, error, subject);
  }
  if (const long error = become_host_ids(plan); error < 0) return failure(Step::identity, error);
  return {};
}

/// What a launcher has left to do.
ConfineResult confine_inside(const SlotPlan& plan, Confined& confined) {
  confined.tree = ProcessTree(true);
  if (const long error = become_host_ids(plan); error < 0) return failure(Step::identity, error);
  return {};
}

ConfineResult make_surroundings(const Cell& cell, Confined& confined) {
  const auto& plan = *cell.plan;
  switch (plan.confinement) {
    case Confinement::none:
      return {};
    case Confinement::namespaces:
      confined.tree = ProcessTree(true);
      return enter_namespaces(plan, cell.network, cell.identity);
    case Confinement::landlock:
      return confine_in_place(cell, confined);
    case Confinement::launcher:
      return confine_inside(plan, confined);
  }
  return failure(Step::plan, -EBADMSG);
}

}  // namespace

ConfineResult confine(const Cell& cell, Confined& confined) {
  if (cell.plan == nullptr) return {};
  const auto& plan = *cell.plan;
  if (const auto made = make_surroundings(cell, confined); !made.ok()) return made;
  std::string_view subject;
  if (const long error = make_ruleset(plan, {confined.folder.c_str(), confined.folder.size()}, confined.ruleset, subject); error < 0) {
    return {Step::landlock, static_cast<int>(-error), subject};
  }
  // Last: from here on this process, too, makes only the calls that the command may make.
  const long filter = install_filter(plan, confined.listener);
  if (filter < 0) return {Step::seccomp, static_cast<int>(-filter), {}};
  return {};
}

}  // namespace prx::init
