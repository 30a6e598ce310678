// What `prx why` says against what happens: every question is also put to a command in the sandbox. So an
// answer that is read off the plan cannot drift from what the plan does.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "support/artefacts.hpp"
#include "support/not_proven.hpp"
#include "support/ordinary_user.hpp"
#include "support/program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

struct Question {
  const char* operation;
  const char* path;  ///< in the folder of the test, unless absolute
};

constexpr Question kQuestions[] = {
    {"read", "ws/file"},
    {"write", "ws/file"},
    {"write", "ws/new"},
    {"read", "ws/absent"},
    {"exec", "ws/script"},
    {"exec", "ws/file"},
    {"read", "ws/.git/config"},
    {"write", "ws/.git/config"},
    {"write", "ws/.git/hooks/new"},
    {"write", "ws/.git/new"},
    {"write", "ws/.envrc"},
    {"write", "ws/.vscode"},
    {"write", "ws/.mcp.json/x"},
    {"write", "ws/.git/commondir"},
    {"write", "/var/run/docker.sock"},
    {"read", "ws/key.pem"},
    {"write", "ws/key.pem"},
    {"read", "ws/link-out"},
    {"read", "ws/link-etc"},
    {"write", "ws/link-etc"},
    {"read", "ws/link-in"},
    {"write", "ws/link-in"},
    {"read", "ws/loop"},
    {"read", "ws/closed"},
    {"read", "outside/file"},
    {"write", "outside/file"},
    {"write", "outside/new"},
    {"read", "shown/file"},
    {"write", "shown/file"},
    {"write", "shown/new"},
    {"read", "rw/file"},
    {"write", "rw/file"},
    {"write", "rw/new"},
    {"read", "home/.secret"},
    {"write", "home/new"},
    {"read", "home/.config/openprx/config.toml"},
    {"read", "/etc/passwd"},
    {"write", "/etc/passwd"},
    {"read", "/etc/hostname"},
    {"read", "/etc/shadow"},
    {"write", "/etc/new"},
    {"exec", "/usr/bin/env"},
    {"exec", "/bin/ls"},
    {"read", "/etc/shells"},
    {"exec", "/etc/shells"},
    {"write", "/usr/new"},
    {"write", "/new"},
    {"write", "/tmp/new"},
    {"write", "/var/tmp/new"},
    {"write", "/dev/shm/new"},
    {"write", "/dev/null"},
    {"read", "/dev/zero"},
    {"read", "/proc/self/stat"},
    {"read", "/proc/kallsyms"},
    {"read", "/proc/key-users"},
    {"read", "/proc/sys/kernel/ostype"},
    {"write", "/proc/sys/kernel/hostname"},
};

class Place {
 public:
  Place(std::string folder, uid_t owner) : folder_(std::move(folder)) {
    for (const auto* name : {"ws/.git/hooks", "outside", "shown", "rw", "home/.config/openprx"})
      std::filesystem::create_directories(folder_ + "/" + name);
    for (const auto* name : {"ws/file", "ws/.git/config", "ws/.envrc", "ws/key.pem", "outside/file",
                             "shown/file", "rw/file", "home/.secret", "home/.config/openprx/config.toml"})
      write(name, "x\n", 0644);
    write("ws/closed", "x\n", 0000);
    write("ws/script", "#!/bin/sh\n", 0755);
    link("ws/link-out", folder_ + "/outside/file");
    link("ws/link-etc", "/etc/hostname");
    link("ws/link-in", "./file");
    link("ws/loop", "loop");
    EXPECT_EQ(::lchown(folder_.c_str(), owner, owner), 0);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
      EXPECT_EQ(::lchown(entry.path().c_str(), owner, owner), 0);
  }

  [[nodiscard]] std::string path(const std::string& name) const {
    return name.starts_with('/') ? name : folder_ + "/" + name;
  }
  [[nodiscard]] ProgramOptions options() const {
    ProgramOptions options;
    options.env = {"PATH=/usr/bin:/bin", "HOME=" + path("home"), "PRX_CONFIG=/dev/null",
                   "PRX_SECURITY__SANDBOX__BACKEND=namespaces"};
    options.working_dir = path("ws");
    return options;
  }
  [[nodiscard]] std::vector<std::string> settings() const {
    return {"--set", "security.sandbox.readonly_paths=[\"" + path("shown") + "\"]",
            "--set", "security.sandbox.writable_paths=[\"/tmp\", \"" + path("rw") + "\"]",
            "--set", "security.sandbox.hidden_paths=[\"*.pem\"]"};
  }

 private:
  void write(const std::string& name, const std::string& text, mode_t mode) const {
    FILE* file = std::fopen(path(name).c_str(), "we");
    ASSERT_NE(file, nullptr);
    std::fputs(text.c_str(), file);
    std::fclose(file);
    ASSERT_EQ(::chmod(path(name).c_str(), mode), 0);
  }
  void link(const std::string& name, const std::string& to) const {
    std::filesystem::create_symlink(to, path(name));
  }

  std::string folder_;
};

std::string attempt(const std::string& operation) {
  if (operation == "read") return "head -c 1 \"$1\" >/dev/null";
  if (operation == "write") return ": >> \"$1\"";
  return "\"$1\" >/dev/null";
}

template <class Run>
void ask_and_try(const Place& place, const std::string& prx, const Run& run) {
  for (const auto& question : kQuestions) {
    const auto path = place.path(question.path);
    std::vector<std::string> why{prx, "why", "--op", question.operation};
    std::vector<std::string> act{prx, "run"};
    const auto settings = place.settings();
    why.insert(why.end(), settings.begin(), settings.end());
    act.insert(act.end(), settings.begin(), settings.end());
    why.push_back(path);
    const std::vector<std::string> line{"--", "/bin/sh", "-c", attempt(question.operation), "sh", path};
    act.insert(act.end(), line.begin(), line.end());
    const auto said = run(why);
    const auto done = run(act);
    ASSERT_LE(said.exit_code, 1) << said.err;
    ASSERT_NE(done.exit_code, 125) << done.err;
    EXPECT_EQ(said.exit_code == 0, done.exit_code == 0) << question.operation << " " << path << "\n"
                                                        << said.out << done.err;
  }
}

// Guarantees: SAY-1
TEST(WhyAgrees, AsRoot) {
  if (::geteuid() != 0) return not_proven("escape.why_as_root", "not root");
  const TempDir dir;
  std::filesystem::permissions(dir.path(), std::filesystem::perms(0755));
  const Place place(dir / "place", 0);
  ask_and_try(place, prx_path(), [&](const auto& argv) { return run_program(argv, place.options()); });
}

// Guarantees: SAY-1
TEST(WhyAgrees, AsAnOrdinaryUser) {
  if (!OrdinaryUser::possible()) return not_proven("escape.why_as_user", "not root");
  const OrdinaryUser user;
  const auto prx = user.install(prx_path());
  const Place place(user.folder() + "/place", user.id());
  ask_and_try(place, prx, [&](const auto& argv) { return user.run(argv, place.options()); });
}

}  // namespace
}  // namespace prx::test
