#pragma once

#include <cstdint>

#include "init/confine_result.hpp"
#include "init/identity.hpp"
#include "protocol/slot_plan.hpp"

namespace prx::init {

/// The clone flags of a slot: the namespaces that it begins its life in. Its network namespace is entered
/// afterwards, since one is made ahead, and its user namespace last, so that nothing in it has power over the
/// others.
[[nodiscard]] unsigned namespace_flags(const protocol::SlotPlan& plan);

/// For an ordinary user: the calling process gets a user namespace in which it may make namespaces and
/// mounts, under the same ids. Returns 0 or -errno.
[[nodiscard]] long enter_outer_user_namespace();

/// A network namespace with its loopback up, as a descriptor; or -errno. The caller stays where it is.
[[nodiscard]] long make_network_namespace();

/// From the first step to the last: network, tree, identity, capabilities. Afterwards the calling process
/// and all it starts see nothing but the plan's tree, and have no privilege over anything.
[[nodiscard]] ConfineResult enter_namespaces(const protocol::SlotPlan& plan, int network,
                                             const Identity& identity);

}  // namespace prx::init
