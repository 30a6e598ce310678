// The namespaces sandbox against shell lines that end with 0 once they have done what they must not. Each
// line is also run without a sandbox, where it has to succeed: a line that never works would prove nothing.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "base/fd.hpp"
#include "support/artefacts.hpp"
#include "support/not_proven.hpp"
#include "support/ordinary_user.hpp"
#include "support/program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

/// The host as a command is to know nothing of it: a home with a secret, something outside of the workspace,
/// a process, a listener.
class Host {
 public:
  explicit Host(std::string folder, uid_t owner = 0) : folder_(std::move(folder)) {
    for (const auto* name : {"/ws", "/outside", "/home/.config/openprx"}) {
      std::filesystem::create_directories(folder_ + name);
    }
    const auto made = run_program({"git", "init", "-q", folder_ + "/ws"});
    EXPECT_EQ(made.exit_code, 0) << made.err;
    std::filesystem::create_directories(folder_ + "/ws/.git/hooks");
    write("/home/.secret", "secret");
    write("/home/.config/openprx/config.toml", "[runtime]\n");
    write("/outside/file", "secret");
    write("/ws/hidden.env", "secret");
    listener_ = listen_at(folder_ + "/outside/socket");
    if (owner == 0) return;
    EXPECT_EQ(::lchown(folder_.c_str(), owner, owner), 0);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
      EXPECT_EQ(::lchown(entry.path().c_str(), owner, owner), 0);
    }
  }

  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] std::vector<std::string> env() const {
    return {"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + folder_ + "/home",
            "PRX_CONFIG=" + folder_ + "/home/.config/openprx/config.toml", "OUT=" + folder_ + "/outside",
            "HOST_PID=" + std::to_string(::getpid())};
  }

 private:
  void write(const std::string& name, const std::string& text) const {
    FILE* file = std::fopen((folder_ + name).c_str(), "we");
    if (file == nullptr) return;
    std::fputs(text.c_str(), file);
    std::fclose(file);
  }
  static base::Fd listen_at(const std::string& path) {
    base::Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    ::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address));
    ::listen(fd.get(), 8);
    return fd;
  }

  std::string folder_;
  base::Fd listener_;
};

std::vector<std::string> prx_line(const std::string& prx, const std::string& sandbox,
                                  const std::string& line) {
  return {
      prx,
      "run",
      "--timeout",
      "30s",
      "--set",
      "security.sandbox.backend=" + sandbox,
      "--set",
      sandbox == "none" ? "security.sandbox.hidden_paths=[]" : R"(security.sandbox.hidden_paths=["*.env"])",
      "-e",
      "OUT",
      "-e",
      "HOST_PID",
      "-c",
      line};
}

struct Attempt {
  const char* name;
  const char* line;  ///< ends with 0 when it has succeeded
  bool root_only = false;
};

std::ostream& operator<<(std::ostream& stream, const Attempt& attempt) {
  return stream << attempt.name;
}

constexpr const char* kConnect =
    "python3 -c 'import socket,os; socket.socket(socket.AF_UNIX).connect(os.environ[\"OUT\"]+\"/socket\")'";
constexpr const char* kStillOurs = "test $(id -u) = 0 && test -O /etc/passwd";

const std::vector<Attempt> kAttempts{
    // Guarantees: FS-1
    {"ReadOutside", "cat $OUT/file"},
    {"ListOutside", "ls $OUT"},
    // Guarantees: FS-2
    {"WriteOutside", "echo x > $OUT/new"},
    {"ChangeOutside", "echo x >> $OUT/file"},
    {"RemoveOutside", "touch $OUT/victim 2>/dev/null; rm $OUT/victim"},
    // Guarantees: FS-1, FS-2
    {"LinkToOutside", "ln -sf $OUT/file link && cat link"},
    {"HardLinkToOutside", "rm -f hard; ln $OUT/file hard"},
    // Guarantees: FS-2
    {"ChangeModeOutside", "chmod 700 $OUT/file"},
    {"ChangeTimeOutside", "touch -d 2001-01-01 $OUT/file"},
    // Guarantees: SOCK-2
    {"ConnectToASocketOutside", kConnect},
    // Guarantees: FS-3
    {"ReadHome", "cat ~/.secret"},
    // Guarantees: FS-5
    {"ReadOwnConfiguration", "cat ~/.config/openprx/config.toml"},
    // Guarantees: FS-4
    {"ReadWhatIsHidden", "grep -q secret hidden.env"},
    // Guarantees: GIT-1
    {"PlantAHook", "echo x > .git/hooks/pre-commit"},
    {"RemoveTheHooks", "rm -rf .git/hooks; test ! -d .git/hooks; r=$?; mkdir -p .git/hooks; exit $r"},
    // Guarantees: PROC-1
    {"SeeAProcess", "test -d /proc/$HOST_PID"},
    {"SignalAProcess", "kill -0 $HOST_PID"},
    {"ReadAProcess", "head -c 1 /proc/$HOST_PID/status >/dev/null && test -r /proc/$HOST_PID/maps"},
    // Guarantees: NET-1
    {"SeeANetwork",
     "test $(ls /sys/class/net 2>/dev/null | wc -l) -gt 1 || grep -q '[a-z]' /proc/net/route && "
     "test $(grep -c : /proc/net/dev) -gt 1"},
    // Guarantees: ID-1
    {"ReadShadow", "cat /etc/shadow >/dev/null", true},
    // Guarantees: KERN-1
    {"WriteASysctl", "cat /proc/sys/kernel/hostname > /proc/sys/kernel/hostname", true},
    {"SetTheHostName", "hostname \"$(hostname)\"", true},
    {"MakeADevice", "rm -f node; mknod node c 1 3", true},
    {"Mount", "mount -t tmpfs none /mnt && umount /mnt", true},
    {"MakeNamespaces", "unshare -m true", true},
    // Guarantees: ID-2
    {"HaveACapability", "grep -q 'CapEff:.*[1-9a-f]' /proc/self/status", true},
    {"HaveABoundingSet", "grep -q 'CapBnd:.*[1-9a-f]' /proc/self/status", true},
    // Guarantees: ID-1
    {"BeTheHostsRoot", kStillOurs, true},
    // Guarantees: FS-2
    {"WriteToTheSystem", "touch /usr/prx-escape && rm /usr/prx-escape", true},
};

class NamespacesEscape : public ::testing::TestWithParam<Attempt> {};

TEST_P(NamespacesEscape, AsRoot) {
  if (::geteuid() != 0) return not_proven("escape.namespaces_as_root", "not root");
  const TempDir dir;
  const Host host(dir.path());
  ProgramOptions options;
  options.env = host.env();
  options.working_dir = host.folder() + "/ws";
  const auto control = run_program(prx_line(prx_path(), "none", GetParam().line), options);
  ASSERT_EQ(control.exit_code, 0) << "the line proves nothing: " << control.out << control.err;
  const auto inside = run_program(prx_line(prx_path(), "namespaces", GetParam().line), options);
  EXPECT_NE(inside.exit_code, 0) << inside.out << inside.err;
  EXPECT_LT(inside.exit_code, 124) << "it was to run, and fail: " << inside.err;
}

TEST_P(NamespacesEscape, AsAnOrdinaryUser) {
  if (GetParam().root_only) return;
  if (!OrdinaryUser::possible()) return not_proven("escape.namespaces_as_user", "not root");
  const OrdinaryUser user;
  const auto prx = user.install(prx_path());
  const Host host(user.folder() + "/host", user.id());
  // A process of its own, since another user's could not be signalled anyway.
  const std::string line =
      std::string("sleep 30 </dev/null >/dev/null 2>&1 & HOST_PID=$!; export HOST_PID; ") + "exec \"$@\"";
  const auto run = [&](const char* sandbox) {
    ProgramOptions options;
    options.env = host.env();
    options.working_dir = host.folder() + "/ws";
    auto command = prx_line(prx, sandbox, GetParam().line);
    command.insert(command.begin(), {"/bin/sh", "-c", line, "sh"});
    return user.run(command, options);
  };
  const auto control = run("none");
  ASSERT_EQ(control.exit_code, 0) << "the line proves nothing: " << control.out << control.err;
  const auto inside = run("namespaces");
  EXPECT_NE(inside.exit_code, 0) << inside.out << inside.err;
  EXPECT_LT(inside.exit_code, 124) << "it was to run, and fail: " << inside.err;
}

INSTANTIATE_TEST_SUITE_P(Every, NamespacesEscape, ::testing::ValuesIn(kAttempts),
                         [](const auto& test) { return std::string(test.param.name); });

/// What has to work all the same.
const std::vector<Attempt> kWork{
    {"WriteInTheWorkspace", "echo x > file && mkdir -p a/b && mv file a/b && rm -r a"},
    {"PrivateTemporaryFiles", "echo x > /tmp/x && echo x > /var/tmp/x && echo x > /dev/shm/x && mktemp"},
    {"PrivateHome", "echo x > ~/x && mkdir -p ~/.cache/tool"},
    {"Devices", "echo x > /dev/null && head -c 4 /dev/urandom | wc -c | grep -q 4 && test -c /dev/zero"},
    {"AProcOfItsOwn", "test $(cat /proc/self/stat | cut -d' ' -f5) -lt 100 && test -d /proc/self/fd"},
    {"GitCommits",
     "echo 1 > f && git add f && git -c user.name=a -c user.email=a@b commit -qm m && "
     "test -z \"$(git status --porcelain f)\""},
    {"Python",
     "python3 -c 'import tempfile, subprocess; tempfile.mkdtemp(); subprocess.run([\"true\"], check=True)'"},
    {"APty", "script -qec 'tty' /dev/null | grep -q /dev/pts"},
    {"Pipelines", "for i in $(seq 50); do echo $i | cat | cat; done | wc -l | grep -q 50"},
    {"LoopbackWorks",
     "python3 -c 'import socket; s=socket.create_server((\"127.0.0.1\",0)); "
     "socket.create_connection(s.getsockname())'"},
};

class NamespacesWork : public ::testing::TestWithParam<Attempt> {};

TEST_P(NamespacesWork, AsRoot) {
  if (::geteuid() != 0) return not_proven("escape.namespaces_as_root", "not root");
  const TempDir dir;
  const Host host(dir.path());
  ProgramOptions options;
  options.env = host.env();
  options.working_dir = host.folder() + "/ws";
  const auto inside = run_program(prx_line(prx_path(), "namespaces", GetParam().line), options);
  EXPECT_EQ(inside.exit_code, 0) << inside.out << inside.err;
  // What it has made belongs to the caller.
  for (const auto& entry : std::filesystem::recursive_directory_iterator(host.folder() + "/ws")) {
    struct stat status{};
    ASSERT_EQ(::lstat(entry.path().c_str(), &status), 0);
    EXPECT_EQ(status.st_uid, 0U) << entry.path();
  }
}

TEST_P(NamespacesWork, AsAnOrdinaryUser) {
  if (!OrdinaryUser::possible()) return not_proven("escape.namespaces_as_user", "not root");
  const OrdinaryUser user;
  const auto prx = user.install(prx_path());
  const Host host(user.folder() + "/host", user.id());
  ProgramOptions options;
  options.env = host.env();
  options.working_dir = host.folder() + "/ws";
  const auto inside = user.run(prx_line(prx, "namespaces", GetParam().line), options);
  EXPECT_EQ(inside.exit_code, 0) << inside.out << inside.err;
}

// Guarantees: FS-6
TEST(NamespacesWorkspace, AHomeOrTheRootIsRefusedUnlessNamed) {
  const TempDir dir;
  const Host host(dir.path());
  ProgramOptions options;
  options.env = host.env();
  options.working_dir = host.folder() + "/home";
  const auto unnamed = run_program(prx_line(prx_path(), "namespaces", "true"), options);
  EXPECT_EQ(unnamed.exit_code, 125);
  EXPECT_NE(unnamed.err.find("--workspace"), std::string::npos) << unnamed.err;
  auto named = prx_line(prx_path(), "namespaces",
                        "echo x > new; test -e .secret && ! cat .config/openprx/config.toml");
  named.insert(named.begin() + 2, {"--workspace", host.folder() + "/home"});
  const auto inside = run_program(named, options);
  EXPECT_EQ(inside.exit_code, 0) << inside.err;
  EXPECT_TRUE(std::filesystem::exists(host.folder() + "/home/new"));
  options.working_dir = "/";
  EXPECT_EQ(run_program(prx_line(prx_path(), "namespaces", "true"), options).exit_code, 125);
}

INSTANTIATE_TEST_SUITE_P(Every, NamespacesWork, ::testing::ValuesIn(kWork),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace prx::test
