// Protected paths: what a command can neither change, nor move out of the way, nor leave behind where nothing
// was. Each plant is also made without a sandbox, where it has to stay.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <string>
#include <vector>

#include <prx/prx.hpp>

#include "support/artefacts.hpp"
#include "support/not_proven.hpp"
#include "support/ordinary_user.hpp"
#include "support/program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

namespace fs = std::filesystem;

void give_to(const std::string& folder, uid_t owner) {
  EXPECT_EQ(::lchown(folder.c_str(), owner, owner), 0);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    EXPECT_EQ(::lchown(entry.path().c_str(), owner, owner), 0);
  }
}

void write(const std::string& path, const std::string& text) {
  fs::create_directories(fs::path(path).parent_path());
  std::ofstream(path) << text;
}

/// A workspace and a home below `folder`, the one a repository without hooks if `git`.
struct Place {
  explicit Place(const std::string& folder, bool git, uid_t owner = 0)
      : workspace(folder + "/ws"), home(folder + "/home") {
    fs::create_directories(home);
    fs::create_directories(workspace);
    if (git) {
      const auto made = run_program({"git", "init", "-q", "--template=", workspace});
      EXPECT_EQ(made.exit_code, 0) << made.err;
      write(workspace + "/.git/modules/sub/HEAD", "ref: refs/heads/main\n");
    }
    if (owner != 0) give_to(folder, owner);
  }
  [[nodiscard]] ProgramOptions options() const {
    ProgramOptions options;
    options.env = {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + home, "GIT_CONFIG_NOSYSTEM=1"};
    options.working_dir = workspace;
    return options;
  }

  std::string workspace;
  std::string home;
};

std::vector<std::string> prx_line(const std::string& prx, const std::string& sandbox,
                                  const std::string& line) {
  return {prx,  "run", "--json", "--timeout", "30s", "--set", "security.sandbox.backend=" + sandbox,
          "-c", line};
}

struct Plant {
  const char* name;
  const char* path;  ///< what must not stay
  const char* line;
  bool git = true;
};

std::ostream& operator<<(std::ostream& stream, const Plant& plant) {
  return stream << plant.name;
}

const std::vector<Plant> kPlants{
    {"AFile", ".envrc", "echo evil > .envrc"},
    {"AFolder", ".vscode", "mkdir .vscode && echo evil > .vscode/tasks.json"},
    {"ALink", ".mcp.json", "ln -s /etc/passwd .mcp.json"},
    {"ADanglingLink", ".envrc", "ln -s nowhere .envrc"},
    {"Hooks", ".git/hooks", "mkdir .git/hooks && echo evil > .git/hooks/pre-commit"},
    {"AnEmptyPlaceForHooksThatIsALink", ".git/hooks",
     "ln -s ../h .git/hooks && mkdir h && echo evil > h/pre-commit"},
    {"AConfigurationElsewhere", ".git/commondir", "echo ../evil > .git/commondir"},
    {"AConfigurationOfTheWorktree", ".git/config.worktree",
     "printf '[core]\\nfsmonitor=x\\n' > .git/config.worktree"},
    {"AConfigurationOfASubmodule", ".git/modules/sub/config",
     "printf '[core]\\nfsmonitor=x\\n' > .git/modules/sub/config"},
    {"AGitFile", ".git", "mkdir e && echo 'gitdir: e' > .git", false},
    {"AGitLink", ".git", "git init -q e && ln -s e/.git .git", false},
    {"ARepositoryWithAProgram", ".git/config", "git init -q --template= . && git config core.fsmonitor ./x",
     false},
    {"ARepositoryWithAHook", ".git/hooks",
     "git init -q --template= . && mkdir .git/hooks && echo evil > .git/hooks/pre-commit", false},
    {"WithoutTheRightToMoveIt", ".vscode",
     "mkdir .vscode && echo x > .vscode/x && chmod 0 .vscode && chmod 555 ."},
};

class PlantEscape : public ::testing::TestWithParam<Plant> {
 protected:
  static void expect_quarantined(const Place& place, const ProgramResult& result) {
    const auto path = place.workspace + "/" + GetParam().path;
    EXPECT_EQ(result.exit_code, 0) << result.out << result.err;
    EXPECT_FALSE(fs::is_symlink(path) || fs::exists(path)) << result.out;
    EXPECT_NE(result.out.find("\"quarantined\":[{\"path\":\"" + path + "\""), std::string::npos)
        << result.out;
    EXPECT_EQ(result.out.find("\"moved_to\":\"\""), std::string::npos) << result.out;
  }
  static void expect_planted(const Place& place, const ProgramResult& result) {
    const auto path = place.workspace + "/" + GetParam().path;
    ASSERT_EQ(result.exit_code, 0) << "the line proves nothing: " << result.out << result.err;
    ASSERT_TRUE(fs::is_symlink(path) || fs::exists(path)) << "the line proves nothing";
  }
};

// Guarantees: GIT-2
TEST_P(PlantEscape, AsRoot) {
  if (::geteuid() != 0) return not_proven("escape.plants_as_root", "not root");
  const TempDir control_dir;
  const Place control(control_dir.path(), GetParam().git);
  expect_planted(control, run_program(prx_line(prx_path(), "none", GetParam().line), control.options()));
  const TempDir dir;
  const Place place(dir.path(), GetParam().git);
  expect_quarantined(place,
                     run_program(prx_line(prx_path(), "namespaces", GetParam().line), place.options()));
}

// Guarantees: GIT-2
TEST_P(PlantEscape, AsAnOrdinaryUser) {
  if (!OrdinaryUser::possible()) return not_proven("escape.plants_as_user", "not root");
  const OrdinaryUser user;
  const auto prx = user.install(prx_path());
  const Place place(user.folder() + "/host", GetParam().git, user.id());
  expect_quarantined(place, user.run(prx_line(prx, "namespaces", GetParam().line), place.options()));
}

INSTANTIATE_TEST_SUITE_P(Every, PlantEscape, ::testing::ValuesIn(kPlants),
                         [](const auto& test) { return std::string(test.param.name); });

class Protection : public ::testing::Test {
 protected:
  void SetUp() override {
    auto config = Config();
    config.workspace = place_.workspace;
    config.security.sandbox.hidden_paths = {"**/*.secret"};
    config.runtime.native.pool = 2;
    auto made = create_runtime(config);
    ASSERT_TRUE(made) << made.error().message();
    runtime_ = std::move(made).value();
  }
  [[nodiscard]] ExecutionOutput run(const std::string& line) const {
    ExecutionRequest request;
    request.command = ShellLine{line};
    request.working_dir = place_.workspace;
    auto output = runtime_->execute(request);
    EXPECT_TRUE(output) << output.error().message();
    return output ? *std::move(output) : ExecutionOutput{};
  }
  [[nodiscard]] std::string path(const std::string& name) const { return place_.workspace + "/" + name; }
  [[nodiscard]] RuntimeAdapter& runtime() const { return *runtime_; }

 private:
  const TempDir dir_;
  const Place place_{dir_.path(), true};
  std::unique_ptr<RuntimeAdapter> runtime_;
};

// Guarantees: GIT-1
TEST_F(Protection, AFolderAroundAProtectedFileCannotBeMovedAway) {
  const std::string line = "mv .git moved && mkdir .git && echo evil > .git/config";
  EXPECT_NE(run(line).exit_code, 0);
  EXPECT_FALSE(fs::exists(path("moved")));
  EXPECT_EQ(run_program({"sh", "-c", "cd " + path("") + " && " + line}).exit_code, 0) << "it proves nothing";
}

TEST_F(Protection, WhatWasThereIsLeftAlone) {
  write(path(".envrc"), "mine");
  const auto output = run("cat .envrc; echo evil > .envrc");
  EXPECT_EQ(output.out.bytes, "mine");
  EXPECT_NE(output.exit_code, 0);
  EXPECT_TRUE(output.quarantined.empty());
  EXPECT_EQ(read_file(path(".envrc")), "mine");
}

// Guarantees: GIT-3
TEST_F(Protection, WhatTheUserMakesBetweenTwoRunsIsProtectedFromTheSecond) {
  EXPECT_EQ(run("true").exit_code, 0);
  write(path(".envrc"), "mine");
  write(path("a/b.secret"), "mine");
  EXPECT_NE(run("echo evil > .envrc").exit_code, 0);
  EXPECT_NE(run("grep -q mine a/b.secret").exit_code, 0);
  // As editors and git itself do it: another file in the place of the old one.
  write(path("new"), "[core]\n");
  fs::rename(path("new"), path(".git/config"));
  EXPECT_EQ(run("cat .git/config").out.bytes, "[core]\n");
  EXPECT_NE(run("echo evil >> .git/config").exit_code, 0);
  EXPECT_EQ(read_file(path(".git/config")), "[core]\n");
}

TEST_F(Protection, ARunThatGoesOnDoesNotNoticeANewPlan) {
  ExecutionRequest request;
  request.command = ShellLine{"sleep 5; echo done"};
  request.working_dir = path("");
  auto slow = runtime().start(request, {});
  ASSERT_TRUE(slow) << slow.error().message();
  write(path(".envrc"), "mine");
  EXPECT_NE(run("echo evil > .envrc").exit_code, 0);
  const auto output = slow->wait();
  ASSERT_TRUE(output) << output.error().message();
  EXPECT_EQ(output->out.bytes, "done\n");
}

TEST(ProtectionWork, ARepositoryMadeInTheSandboxStays) {
  const TempDir dir;
  const Place place(dir.path(), false);
  const auto made = run_program(
      prx_line(
          prx_path(), "namespaces",
          "git init -q . && echo 1 > f && git add f && git -c user.name=a -c user.email=a@b commit -qm m"),
      place.options());
  EXPECT_EQ(made.exit_code, 0) << made.out << made.err;
  EXPECT_NE(made.out.find("\"quarantined\":[]"), std::string::npos) << made.out;
  EXPECT_TRUE(fs::exists(place.workspace + "/.git/config"));
  EXPECT_EQ(run_program({"git", "-C", place.workspace, "log", "--oneline"}).exit_code, 0);
}

// Guarantees: FS-5, GIT-2
TEST(ProtectionWork, WhatIsInQuarantineIsWhatWasPlantedAndNoCommandSeesIt) {
  const TempDir dir;
  const Place place(dir.path(), false);
  const auto planted = run_program(prx_line(prx_path(), "namespaces", "echo evil > .envrc"), place.options());
  EXPECT_EQ(planted.exit_code, 0) << planted.err;
  const auto folder = place.home + "/.local/state/openprx/quarantine";
  int files = 0;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!entry.is_regular_file()) continue;
    ++files;
    EXPECT_EQ(read_file(entry.path().string()), "evil\n");
  }
  EXPECT_EQ(files, 1);
  EXPECT_NE(run_program(prx_line(prx_path(), "namespaces", "ls " + folder), place.options()).exit_code, 0);
}

}  // namespace
}  // namespace prx::test
