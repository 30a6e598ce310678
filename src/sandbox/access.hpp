#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sandbox/blueprint.hpp"
#include "sandbox/rule.hpp"

namespace prx::sandbox {

enum class Operation : std::uint8_t { read, write, execute };

/// "read", "write", "exec": as the options of `why` name them.
[[nodiscard]] std::string_view to_string(Operation operation) noexcept;
[[nodiscard]] std::optional<Operation> operation_named(std::string_view name) noexcept;

/// What comes of an operation inside.
struct Verdict {
  bool allowed = false;
  int error = 0;  ///< the errno that a command gets, 0 when allowed
  Rule rule = Rule::not_shown;
  std::string path;    ///< where it leads inside, links resolved
  std::string reason;  ///< a sentence without subject: "read-only: …"
  Change change;       ///< of a refusal; one that nothing changes has none
};

/// Whether the sandbox lets a command do it, and by which rule. `path` is absolute. Writing also means making
/// what does not exist yet. Looks at the host through `host`, changes nothing.
[[nodiscard]] Verdict judge(const Blueprint& blueprint, const std::string& path, Operation operation,
                            const HostView& host);

/// Whether an entry could be removed, renamed, or have another put in its place: what the sandbox has mounted
/// cannot. Tells nothing of whether the folder may be written to.
[[nodiscard]] Verdict judge_removal(const Blueprint& blueprint, const std::string& path,
                                    const HostView& host);

/// Whether a command reaches anything beyond the sandbox by network.
[[nodiscard]] Verdict judge_network(const Blueprint& blueprint);

/// A program that is looked up by name.
struct FoundProgram {
  std::string inside;   ///< the first in the command's PATH that is there; empty: none
  std::string outside;  ///< the first in the caller's PATH; empty: none
};

[[nodiscard]] FoundProgram find_program(const Blueprint& blueprint, const std::string& name,
                                        const HostView& host);

/// What puts a program that only exists outside into the sandbox: its folder, so that PATH leads there.
[[nodiscard]] Change show_program(const Blueprint& blueprint, const std::string& outside);

}  // namespace prx::sandbox
