#include "app/audit_path.hpp"

#include <cstdlib>

#include "sandbox/never_visible.hpp"

namespace prx::app {

Result<std::string> audit_path(const Config& config) {
  if (!config.security.audit.path.empty()) return config.security.audit.path;
  const char* home = std::getenv("HOME");
  const auto folder = sandbox::own_folder("XDG_STATE_HOME", home == nullptr ? "" : home, "/.local/state");
  if (!folder.empty()) return folder + "/audit.jsonl";
  return Error{
      ErrorKind::invalid_request, "audit", "security.audit.path", 0, "there is no HOME to keep it in",
      "set security.audit.path"};
}

}  // namespace prx::app
