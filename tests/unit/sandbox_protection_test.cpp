#include "sandbox/protection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "support/temp_dir.hpp"

namespace prx::sandbox {
namespace {

class ProtectionPlan : public ::testing::Test {
 protected:
  void file(const std::string& name) const {
    std::filesystem::create_directories(path(name).parent_path());
    std::ofstream(path(name)) << "x";
  }
  void folder(const std::string& name) const { std::filesystem::create_directories(path(name)); }
  void link(const std::string& name, const std::string& target) const {
    std::filesystem::create_directories(path(name).parent_path());
    std::filesystem::create_symlink(target, path(name));
  }
  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return std::filesystem::path(workspace()) / name;
  }
  [[nodiscard]] std::string workspace() const { return dir_.path(); }

  [[nodiscard]] Protection find(const std::vector<std::string>& wanted) const {
    return find_protection(wanted, workspace(), find_git_folders(workspace(), host_), host_);
  }
  [[nodiscard]] bool has(const std::vector<std::string>& list, const std::string& name) const {
    return std::find(list.begin(), list.end(), path(name).string()) != list.end();
  }
  [[nodiscard]] bool watches(const Protection& found, const std::string& name) const {
    return std::any_of(found.watched.begin(), found.watched.end(), [&](const WatchedPlace& place) {
      return place.base == workspace() && place.name == name;
    });
  }

 private:
  test::TempDir dir_;
  RealHost host_;
};

TEST_F(ProtectionPlan, WhatExistsIsReadOnlyAndWhatDoesNotIsWatched) {
  file(".envrc");
  const auto found = find({".envrc", ".vscode/", "./a/b"});
  EXPECT_TRUE(has(found.read_only, ".envrc"));
  EXPECT_FALSE(watches(found, ".envrc"));
  EXPECT_TRUE(watches(found, ".vscode"));
  EXPECT_TRUE(watches(found, "a/b"));
  EXPECT_TRUE(found.held.empty());
}

TEST_F(ProtectionPlan, TheFoldersAroundAreHeld) {
  file("a/b/c");
  const auto found = find({"a/b/c"});
  EXPECT_TRUE(has(found.read_only, "a/b/c"));
  EXPECT_TRUE(has(found.held, "a"));
  EXPECT_TRUE(has(found.held, "a/b"));
  EXPECT_EQ(found.held.size(), 2U);
}

TEST_F(ProtectionPlan, ALinkAndWhatIsBehindOneIsWatched) {
  file("real/settings");
  link(".envrc", "real/settings");
  link(".vscode", "real");
  const auto found = find({".envrc", ".vscode/settings"});
  EXPECT_TRUE(found.read_only.empty());
  EXPECT_TRUE(watches(found, ".envrc"));
  EXPECT_TRUE(watches(found, ".vscode/settings"));
}

TEST_F(ProtectionPlan, EveryPlaceGitTakesItsConfigurationFrom) {
  for (const auto* name :
       {"HEAD", "config", "worktrees/w/commondir", "modules/a/b/HEAD", "modules/a/b/config"})
    file(std::string(".git/") + name);
  for (const auto* name : {"hooks", "objects", "refs"}) folder(std::string(".git/") + name);
  const auto found = find({".git/hooks", ".git/config"});
  for (const auto* name :
       {".git/hooks", ".git/config", ".git/worktrees/w/commondir", ".git/modules/a/b/config"})
    EXPECT_TRUE(has(found.read_only, name)) << name;
  for (const auto* name : {".git/commondir", ".git/config.worktree", ".git/worktrees/w/config.worktree",
                           ".git/modules/a/b/hooks", ".git/modules/a/b/commondir"})
    EXPECT_TRUE(watches(found, name)) << name;
  for (const auto* name : {".git", ".git/worktrees", ".git/worktrees/w", ".git/modules/a/b"})
    EXPECT_TRUE(has(found.held, name)) << name;
  EXPECT_FALSE(watches(found, ".git"));
}

TEST_F(ProtectionPlan, WithoutARepositoryOneThatAppearsIsWatched) {
  const auto found = find({".git/hooks", ".git/config"});
  for (const auto* name : {".git", ".git/hooks", ".git/config", ".git/commondir"})
    EXPECT_TRUE(watches(found, name)) << name;
  EXPECT_TRUE(find({}).watched.empty());
}

TEST_F(ProtectionPlan, OfMoreRepositoriesThanAnybodyHasTheRestIsNamed) {
  file(".git/HEAD");
  for (int i = 0; i < 300; ++i) file(".git/modules/m" + std::to_string(i) + "/HEAD");
  EXPECT_EQ(find({".git/config"}).warnings.size(), 1U);
}

}  // namespace
}  // namespace prx::sandbox
