#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace prx::backends {

/// The labels that say whose a container is. A container without a living owner may be removed by anybody.
inline constexpr const char* kOwnerLabel = "prx.owner";
inline constexpr const char* kKeepLabel = "prx.keep";  ///< auto_remove = false: no sweep takes it

/// This process, among all of all machines that may use one daemon: machine, boot, pid namespace, pid, start
/// time.
[[nodiscard]] std::string own_owner_label();

enum class Owner : unsigned char {
  alive,
  dead,
  elsewhere,  ///< on another machine, or in another pid namespace: nothing is known of it
};
[[nodiscard]] Owner look_for_owner(std::string_view label);

}  // namespace prx::backends
