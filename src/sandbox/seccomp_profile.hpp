#pragma once

#include <linux/filter.h>

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "os/syscall_numbers.hpp"
#include "protocol/seccomp_denials.hpp"
#include "sandbox/seccomp_filter.hpp"

namespace prx::sandbox {

/// What the profile "tool" grants beside what every command may do. The default fits a slot with namespaces
/// of its own; the kinds without take more away.
struct SeccompOptions {
  enum class Inet : std::uint8_t {
    none,     ///< no AF_INET, AF_INET6 and netlink sockets
    streams,  ///< of these only TCP, and no connection behind connect(2)'s back
    all,
  };
  enum class Unix : std::uint8_t {
    pairs,  ///< only socketpair(2)
    all,
  };

  os::Architecture architecture = os::kArchitecture;
  Inet inet = Inet::all;
  Unix unix_sockets = Unix::all;
  bool own_ipc = true;   ///< the slot has an ipc namespace
  bool own_pids = true;  ///< the slot has a pid namespace
  bool observe = true;   ///< rare denials notify a listener, which answers and counts; otherwise plain errnos
};

struct SeccompProgram {
  std::vector<sock_filter> filter;
  bool wants_listener = false;
};

/// Whether an entry of protocol::kSeccompDenials holds with these options.
[[nodiscard]] bool holds(const protocol::SeccompDenial& denial, const SeccompOptions& options) noexcept;

[[nodiscard]] SeccompTable seccomp_table(const SeccompOptions& options);

/// seccomp_table(), assembled. A filter without a listener must never notify: the kernel would answer ENOSYS.
[[nodiscard]] SeccompProgram seccomp_program(const SeccompOptions& options);

/// Calls by name that healthy programs make, some with arguments that are denied.
[[nodiscard]] std::span<const std::string_view> allowed_calls() noexcept;
/// Calls that get ENOSYS as on a kernel without them, though prx knows their names.
[[nodiscard]] std::span<const std::string_view> absent_calls() noexcept;

/// For a person: what the rule is about, e.g. "the kernel's key storage".
[[nodiscard]] std::string_view describe(protocol::SeccompRule rule) noexcept;

}  // namespace prx::sandbox
