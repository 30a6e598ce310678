#include "sandbox/guarantees.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/try.hpp"

namespace prx::sandbox {
namespace {

constexpr unsigned bit(SandboxChoice kind) {
  return 1U << static_cast<unsigned>(kind);
}

constexpr unsigned kNamespaces = bit(SandboxChoice::namespaces);
constexpr unsigned kLandlock = bit(SandboxChoice::landlock);
constexpr unsigned kBubblewrap = bit(SandboxChoice::bubblewrap);
constexpr unsigned kFirejail = bit(SandboxChoice::firejail);
constexpr unsigned kOwnMounts = kNamespaces | kBubblewrap | kFirejail;
constexpr unsigned kEvery = kOwnMounts | kLandlock;

struct Guarantee {
  std::string_view name;
  unsigned kinds = 0;  ///< that give it
};

/// What a kind gives is tried by tests/escape, row by row; docs/architecture.md says what each means.
constexpr std::array kGuarantees{
    Guarantee{"content", kEvery},
    Guarantee{"network", kEvery},
    Guarantee{"signals", kEvery},
    Guarantee{"metadata", kOwnMounts},
    Guarantee{"protected-paths", kOwnMounts},
    Guarantee{"processes", kOwnMounts},
    Guarantee{"private-tmp", kOwnMounts},
    Guarantee{"existence", kNamespaces | kBubblewrap},
};

constexpr std::array kKinds{SandboxChoice::namespaces, SandboxChoice::landlock, SandboxChoice::bubblewrap,
                            SandboxChoice::firejail};

void append(std::string& list, std::string_view name) {
  if (!list.empty()) list += ", ";
  list += name;
}

std::string known_names() {
  std::string names;
  for (const auto& guarantee : kGuarantees) append(names, guarantee.name);
  return names;
}

std::string kinds_with(const Guarantee& guarantee) {
  std::string names;
  for (const auto kind : kKinds) {
    if ((guarantee.kinds & bit(kind)) != 0) append(names, to_string(kind));
  }
  return names;
}

Result<void> check_one(const Config& config, const std::string& name, SandboxChoice kind) {
  const auto where = config.origin_of("security.sandbox.require").describe();
  const auto* found = std::find_if(kGuarantees.begin(), kGuarantees.end(),
                                   [&](const Guarantee& guarantee) { return guarantee.name == name; });
  if (found == kGuarantees.end()) {
    return Error{ErrorKind::invalid_request,
                 "config",
                 "security.sandbox.require",
                 0,
                 "there is no guarantee \"" + name + "\"",
                 "there are " + known_names() + " (" + where + ")"};
  }
  if ((found->kinds & bit(kind)) != 0) return {};
  return Error{ErrorKind::unsupported,
               "sandbox",
               std::string(to_string(kind)),
               0,
               "it does not give the guarantee \"" + name + "\", which security.sandbox.require asks for (" + where +
                   ")",
               "these kinds give it: " + kinds_with(*found)};
}

}  // namespace

Result<void> check_required(const Config& config, SandboxChoice kind) {
  for (const auto& name : config.security.sandbox.require) PRX_CHECK(check_one(config, name, kind));
  return {};
}

}  // namespace prx::sandbox
