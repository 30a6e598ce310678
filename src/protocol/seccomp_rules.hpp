// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace prx::protocol {

/// Why a system call is denied by name. The names are stable: outputs and messages carry them.
enum class SeccompRule : std::uint8_t {
  foreign_abi,
  keyring,
  bpf,
  perf,
  userfaultfd,
  kexec,
  kernel_module,
  kernel_log,
  mount,
  chroot,
  name_space,
  file_handle,
  process_fd,
  process_limits,
  personality,
  terminal_injection,
  hardware,
  swap,
  reboot,
  accounting,
  quota,
  clock,
  host_name,
  network,
  unix_socket,
  socket_family,
  socket_type,
  netlink,
  fast_open,
  socket_option,
  ipc,
  unknown,  ///< a denial that no rule explains: prx and its filter disagree
};
inline constexpr std::size_t kSeccompRules = static_cast<std::size_t>(SeccompRule::unknown) + 1;

[[nodiscard]] constexpr std::string_view to_string(SeccompRule rule) noexcept {
  constexpr std::string_view kNames[kSeccompRules] = {
      "foreign-abi", "keyring",        "bpf",           "perf",
      "userfaultfd", "kexec",          "kernel-module", "kernel-log",
      "mount",       "chroot",         "namespace",     "file-handle",
      "process-fd",  "process-limits", "personality",   "terminal-injection",
      "hardware",    "swap",           "reboot",        "accounting",
      "quota",       "clock",          "host-name",     "network",
      "unix-socket", "socket-family",  "socket-type",   "netlink",
      "fast-open",   "socket-option",  "ipc",           "unknown",
  };
  return static_cast<std::size_t>(rule) < kSeccompRules ? kNames[static_cast<std::size_t>(rule)] : "unknown";
}

}  // namespace prx::protocol
