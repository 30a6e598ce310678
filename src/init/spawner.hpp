#pragma once

#include "init/namespaces.hpp"

namespace prx::init {

/// The fork server of one host: forks a slot for each message on its control socket, ends slots that do not
/// answer, and whatever a killed slot left behind. Ends with its host, once every slot has ended.
/// `prepare` is called once the host has been left and signals are set up: what it loads, every slot has.
/// Where it fails every slot is refused for its reason.
int run_spawner(ConfineResult (*prepare)() = nullptr);

}  // namespace prx::init
