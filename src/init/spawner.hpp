#pragma once

namespace prx::init {

/// The fork server of one host: forks a slot for each message on its control socket, ends slots that do not
/// answer, and whatever a killed slot left behind. Ends with its host, once every slot has ended.
int run_spawner();

}  // namespace prx::init
