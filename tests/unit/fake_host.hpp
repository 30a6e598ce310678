#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sandbox/host_view.hpp"

namespace prx::test {

/// A machine that exists only for a plan: what is not added is not there, folders on the way are.
class FakeHost final : public sandbox::HostView {
 public:
  FakeHost() { entries_["/"] = {{.kind = sandbox::FileKind::directory, .mode = 0755}, {}}; }

  FakeHost& directory(const std::string& path, std::uint32_t uid = 0, std::uint32_t mode = 0755) {
    return add(path, {.kind = sandbox::FileKind::directory, .uid = uid, .gid = uid, .mode = mode}, {});
  }
  FakeHost& file(const std::string& path, std::uint32_t uid = 0, std::uint32_t mode = 0644,
                 std::string text = {}) {
    return add(path, {.kind = sandbox::FileKind::file, .uid = uid, .gid = uid, .mode = mode},
               std::move(text));
  }
  FakeHost& link(const std::string& path, std::string to) {
    return add(path, {.kind = sandbox::FileKind::symlink, .mode = 0777}, std::move(to));
  }

  [[nodiscard]] std::optional<sandbox::FileInfo> look(const std::string& path) const override;
  [[nodiscard]] std::string read_link(const std::string& path) const override;
  [[nodiscard]] std::string resolve(const std::string& path) const override;
  [[nodiscard]] std::string read_text(const std::string& path) const override;
  [[nodiscard]] std::vector<std::string> list(const std::string& path) const override;

 private:
  struct Entry {
    sandbox::FileInfo info;
    std::string text;  // of a file what it holds, of a link where it points
  };

  FakeHost& add(const std::string& path, sandbox::FileInfo info, std::string text);

  std::map<std::string, Entry> entries_;
};

}  // namespace prx::test
