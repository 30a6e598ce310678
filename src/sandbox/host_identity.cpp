#include "sandbox/host_identity.hpp"

#include <string>

namespace prx::sandbox {
namespace {

Error needs_root_id(const Grant& grant, SandboxChoice kind) {
  return {ErrorKind::unsupported,
          "sandbox",
          std::string(to_string(kind)),
          0,
          "started by root, it has no id for the command but the owner's of what is writable, and " + grant.path +
              " belongs to " + (grant.info.uid == 0 ? "root" : "another user than the workspace"),
          "give the workspace to an ordinary user, or start prx as one; the kind namespaces needs neither; "
          "security.sandbox.allow_root_id = true lets the command be root, without root's privileges"};
}

}  // namespace

Result<HostIdentity> choose_host_identity(const Policy& policy, SandboxChoice kind) {
  if (policy.caller.uid != 0 || policy.allow_root_id) return HostIdentity{policy.caller.uid, policy.caller.gid};
  const auto& owner = policy.workspace.info;
  if (owner.uid == 0) return needs_root_id(policy.workspace, kind);
  for (const auto& grant : policy.grants) {
    if (grant.writable && grant.info.uid != owner.uid) return needs_root_id(grant, kind);
  }
  return HostIdentity{owner.uid, owner.gid};
}

}  // namespace prx::sandbox
