#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "protocol/plan_encoder.hpp"
#include "sandbox/host_view.hpp"

namespace prx::sandbox {

/// Whether a path (every link resolved) lies in what every command sees read-only: programs, libraries and
/// the system's configuration.
[[nodiscard]] bool is_system_path(std::string_view path);

/// The system's folders as this machine has them: links stay links.
void add_system_tree(const HostView& host, std::vector<protocol::MountFields>& mounts);
/// A procfs of its own, without what tells of or acts on the whole machine.
void add_proc(const HostView& host, std::vector<protocol::MountFields>& mounts);
/// The few devices that programs need, terminals of its own, shared memory of its own.
void add_devices(const HostView& host, std::vector<protocol::MountFields>& mounts);
/// Empty, private, writable by the command.
[[nodiscard]] protocol::MountFields private_directory(std::string target, std::uint16_t mode);

}  // namespace prx::sandbox
