#pragma once

#include <string>
#include <vector>

#include "sandbox/blueprint.hpp"
#include "sandbox/host_view.hpp"
#include "sandbox/limits.hpp"

namespace prx::sandbox {

/// What holds, and the key or default that made it so.
struct Fact {
  std::string key;  ///< stable, in words: "network"
  std::string value;
  std::string origin;
};

struct MountLine {
  std::string access;  ///< "read-only", "writable", "private", "hidden", "made", "device", "link"
  std::string target;
  std::string source;  ///< what of the host it shows, or where a link points; empty: nothing of the host
  std::string rule;    ///< to_string(Rule)
  std::string origin;
};

struct CallLine {
  std::string rule;   ///< as in the denials of an output
  std::string about;  ///< for a person
  std::string calls;  ///< names; some only with certain arguments
};

struct LandlockLine {
  std::string path;
  std::string rights;
};

/// A place that is empty now, and where nothing may appear.
struct WatchLine {
  std::string path;
  std::string may_appear;  ///< "nothing" …
  std::string origin;
};

struct NeverLine {
  std::string path;  ///< may not exist
  std::string what;
  std::string origin;
};

struct LimitLine {
  std::string name;  ///< "memory" …, as in the `enforced` of an output, and "core_files"
  std::string value;
  std::string by;  ///< as EnforcedLimit::by; empty: there is no limit
  std::string origin;
};

/// A plan in words, entry by entry: nothing in it is left out.
struct Description {
  std::vector<Fact> facts;
  std::vector<MountLine> mounts;  ///< in the order in which they are made: later ones lie on top
  std::vector<WatchLine> watched;
  std::vector<NeverLine> never_visible;
  std::vector<CallLine> calls;
  std::vector<LandlockLine> landlock;
};

[[nodiscard]] Description describe_plan(const Blueprint& blueprint, const HostView& host);

/// Limits in words, those that are off among them: of every kind of sandbox.
[[nodiscard]] std::vector<LimitLine> describe_limits(const Config& config, const LimitPlan& limits);

}  // namespace prx::sandbox
