#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sandbox/blueprint.hpp"
#include "sandbox/host_view.hpp"

namespace prx::sandbox {

/// This machine without the file systems that another one or a program answers for (NFS, CIFS, FUSE, autofs
/// …): a look there may never return, and a command could ask for one by printing a path. What lies on them
/// is not seen, unless the sandbox itself stands on it.
class LocalHost final : public HostView {
 public:
  /// Reads /proc/self/mountinfo.
  explicit LocalHost(const Blueprint& blueprint);
  LocalHost(const Blueprint& blueprint, std::string_view mountinfo);

  [[nodiscard]] std::optional<FileInfo> look(const std::string& path) const override;
  [[nodiscard]] std::string read_link(const std::string& path) const override;
  [[nodiscard]] std::string resolve(const std::string& path) const override;
  [[nodiscard]] std::string read_text(const std::string& path) const override;
  [[nodiscard]] std::vector<std::string> list(const std::string& path) const override;

  /// Whether looking at `path` (its folders looked at before) waits for nobody.
  [[nodiscard]] bool is_local(std::string_view path) const;

 private:
  struct Mount {
    std::string point;
    bool is_local = true;
  };

  RealHost host_;
  std::vector<Mount> mounts_;  // later ones lie on top
};

}  // namespace prx::sandbox
