#include "app/docker_shares.hpp"

#include "base/try.hpp"
#include "os/mount_points.hpp"
#include "sandbox/paths.hpp"

namespace prx::app {
namespace {

using sandbox::is_within;

class Sharing {
 public:
  Sharing(const sandbox::Policy& policy, const std::string& mount_path)
      : policy_(policy), mount_path_(mount_path) {}

  void share(const std::string& path, const sandbox::FileInfo& info, bool writable) {
    auto target = in_container(path);
    result_.expected.push_back({target, info.device, info.inode});
    result_.shares.push_back({path, std::move(target), writable});
  }
  void mask(const std::string& path, const sandbox::FileInfo& info) {
    result_.masks.push_back({in_container(path), info.kind == sandbox::FileKind::directory});
  }
  [[nodiscard]] DockerShares result() && { return std::move(result_); }

 private:
  [[nodiscard]] std::string in_container(const std::string& path) const {
    const auto& workspace = policy_.workspace.path;
    return is_within(path, workspace) ? mount_path_ + path.substr(workspace.size()) : path;
  }

  const sandbox::Policy& policy_;
  const std::string& mount_path_;
  DockerShares result_;
};

std::string join(const std::vector<std::string>& items) {
  std::string text;
  for (const auto& item : items) text += (text.empty() ? "" : ", ") + item;
  return text;
}

}  // namespace

DockerShares share_paths(const sandbox::Policy& policy, const std::string& mount_path,
                         const sandbox::HostView& host) {
  Sharing sharing(policy, mount_path);
  sharing.share(policy.workspace.path, policy.workspace.info, true);
  for (const auto& grant : policy.grants) {
    // The workspace itself, once more: it stays as writable as it is.
    if (grant.path != policy.workspace.path) sharing.share(grant.path, grant.info, grant.writable);
  }
  for (const auto& path : policy.protected_paths) {
    if (const auto info = host.look(path)) sharing.share(path, *info, false);
  }
  for (const auto& path : policy.hidden) {
    if (const auto info = host.look(path)) sharing.mask(path, *info);
  }
  return std::move(sharing).result();
}

Result<void> refuse_socket(const sandbox::Policy& policy, const std::string& socket) {
  const auto refuse = [&](const sandbox::Grant& grant) {
    return Error{
        ErrorKind::invalid_request,
        "sandbox",
        grant.path,
        0,
        "it holds the docker daemon's socket, which makes whoever reaches it root (" + grant.reason + ")",
        "grant a directory without it"};
  };
  const auto real = sandbox::RealHost().resolve(socket);
  if (real.empty()) return {};  // no daemon: said where it is asked
  if (is_within(real, policy.workspace.path)) return refuse(policy.workspace);
  for (const auto& grant : policy.grants) {
    if (is_within(real, grant.path)) return refuse(grant);
  }
  return {};
}

Result<std::vector<std::string>> warn_of_submounts(const DockerShares& shares) {
  std::vector<std::string> warnings;
  for (const auto& share : shares.shares) {
    PRX_TRY(const auto points, os::mount_points_below(share.source));
    if (points.empty()) continue;
    warnings.push_back("what is mounted below " + share.source + " is not in the container: " + join(points));
  }
  return warnings;
}

}  // namespace prx::app
