// Every kind of sandbox against shell lines that end with 0 once they have done what they must not. Each line
// is also run without a sandbox, where it has to succeed: a line that never works would prove nothing. What a
// kind does not promise (kNotGiven) has to succeed in it as well: a guarantee that is given after all belongs
// on the list of those that are.
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
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
    abstract_ = listen_at(std::string(1, '\0') + abstract_name());
    tcp_ = listen_on_tcp();
    if (owner == 0) return;
    EXPECT_EQ(::lchown(folder_.c_str(), owner, owner), 0);
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_)) {
      EXPECT_EQ(::lchown(entry.path().c_str(), owner, owner), 0);
    }
  }

  [[nodiscard]] const std::string& folder() const { return folder_; }
  [[nodiscard]] std::vector<std::string> env() const {
    return {"PATH=/usr/local/bin:/usr/bin:/bin",
            "HOME=" + folder_ + "/home",
            "PRX_CONFIG=" + folder_ + "/home/.config/openprx/config.toml",
            "OUT=" + folder_ + "/outside",
            "HOST_PID=" + std::to_string(::getpid()),
            "PORT=" + std::to_string(port_),
            "ABSTRACT=" + abstract_name()};
  }

 private:
  void write(const std::string& name, const std::string& text) const {
    FILE* file = std::fopen((folder_ + name).c_str(), "we");
    if (file == nullptr) return;
    std::fputs(text.c_str(), file);
    std::fclose(file);
  }
  static std::string abstract_name() { return "prx-escape-" + std::to_string(::getpid()); }
  static base::Fd listen_at(const std::string& path) {
    base::Fd fd(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path.copy(address.sun_path, sizeof(address.sun_path) - 1);
    // An abstract name ends where the address does.
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + path.size());
    EXPECT_EQ(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(fd.get(), 8), 0);
    return fd;
  }
  base::Fd listen_on_tcp() {
    base::Fd fd(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof(address);
    EXPECT_EQ(::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), size), 0);
    EXPECT_EQ(::listen(fd.get(), 8), 0);
    EXPECT_EQ(::getsockname(fd.get(), reinterpret_cast<sockaddr*>(&address), &size), 0);
    port_ = ntohs(address.sin_port);
    return fd;
  }

  std::string folder_;
  base::Fd listener_;
  base::Fd abstract_;
  base::Fd tcp_;
  unsigned port_ = 0;
};

/// What is known of a kind, as far as the rows ask.
struct Kind {
  const char* name;
  /// Rows that succeed all the same: the kind does not promise them (`security.sandbox.require` refuses it).
  std::vector<std::string> not_given;
  std::vector<std::string> not_working;  ///< rows of kWork that it cannot offer
  bool hides_in_workspace = true;        ///< hidden_paths there; otherwise it refuses them
  bool has_own_ids = false;              ///< as root it runs in a workspace that is root's
  const char* program = nullptr;         ///< that has to be installed
};

const std::vector<Kind> kKinds{
    {.name = "namespaces", .not_given = {}, .not_working = {}, .has_own_ids = true},
    {.name = "landlock",
     .not_given = {"ChangeModeOutside", "ChangeTimeOutside", "KnowOfAFileOutside", "PlantAHook",
                   "RemoveTheHooks", "SeeAProcess", "ReadAProcess", "SeeANetwork"},
     .not_working = {"HostsPlacesForTemporaryFiles", "AProcOfItsOwn", "APty", "LoopbackWorks"},
     .hides_in_workspace = false},
};

bool lists(const std::vector<std::string>& names, const char* name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

struct Attempt {
  const char* name;
  const char* line;  ///< ends with 0 when it has succeeded
  bool root_only = false;
};

constexpr const char* kConnect =
    "python3 -c 'import socket,os; socket.socket(socket.AF_UNIX).connect(os.environ[\"OUT\"]+\"/socket\")'";
constexpr const char* kConnectAbstract =
    "python3 -c 'import socket,os; socket.socket(socket.AF_UNIX).connect(\"\\0\"+os.environ[\"ABSTRACT\"])'";
constexpr const char* kConnectByTcp =
    "python3 -c 'import socket,os; socket.create_connection((\"127.0.0.1\",int(os.environ[\"PORT\"])))'";
/// PTRACE_SEIZE
constexpr const char* kTrace =
    "python3 -c 'import ctypes,os; "
    "exit(ctypes.CDLL(None).ptrace(0x4206,int(os.environ[\"HOST_PID\"]),0,0)!=0)'";
constexpr const char* kStillOurs = "test $(id -u) = 0 && test -O /etc/passwd";

const std::vector<Attempt> kAttempts{
    {"ReadOutside", "cat $OUT/file"},
    {"ListOutside", "ls $OUT"},
    {"WriteOutside", "echo x > $OUT/new"},
    {"ChangeOutside", "echo x >> $OUT/file"},
    {"RemoveOutside", "touch $OUT/victim 2>/dev/null; rm $OUT/victim"},
    {"LinkToOutside", "ln -sf $OUT/file link && cat link"},
    {"HardLinkToOutside", "rm -f hard; ln $OUT/file hard"},
    {"ChangeModeOutside", "chmod 700 $OUT/file"},
    {"ChangeTimeOutside", "touch -d 2001-01-01 $OUT/file"},
    {"KnowOfAFileOutside", "test -e $OUT/file"},
    {"ConnectToASocketOutside", kConnect},
    {"ConnectToAnAbstractSocket", kConnectAbstract},
    {"ConnectByTcp", kConnectByTcp},
    {"ReadHome", "cat ~/.secret"},
    {"ReadOwnConfiguration", "cat ~/.config/openprx/config.toml"},
    {"PlantAHook", "echo x > .git/hooks/pre-commit"},
    {"RemoveTheHooks", "rm -rf .git/hooks; test ! -d .git/hooks; r=$?; mkdir -p .git/hooks; exit $r"},
    {"SeeAProcess", "test -d /proc/$HOST_PID"},
    {"SignalAProcess", "kill -0 $HOST_PID"},
    {"ReadAProcess", "head -c 1 /proc/$HOST_PID/status >/dev/null"},
    {"ReadAProcesssEnvironment", "head -c 1 /proc/$HOST_PID/environ | grep -q ."},
    {"OpenAProcesssMemory", "exec 3<>/proc/$HOST_PID/mem"},
    {"FollowAProcesssRoot", "ls /proc/$HOST_PID/root/"},
    {"TraceAProcess", kTrace},
    {"SeeANetwork",
     "test $(ls /sys/class/net 2>/dev/null | wc -l) -gt 1 || grep -q '[a-z]' /proc/net/route && "
     "test $(grep -c : /proc/net/dev) -gt 1"},
    {"ReadShadow", "cat /etc/shadow >/dev/null", true},
    {"WriteASysctl", "cat /proc/sys/kernel/hostname > /proc/sys/kernel/hostname", true},
    {"SetTheHostName", "hostname \"$(hostname)\"", true},
    {"MakeADevice", "rm -f node; mknod node c 1 3", true},
    {"Mount", "mount -t tmpfs none /mnt && umount /mnt", true},
    {"MakeNamespaces", "unshare -m true", true},
    {"HaveACapability", "grep -q 'CapEff:.*[1-9a-f]' /proc/self/status", true},
    {"HaveABoundingSet", "grep -q 'CapBnd:.*[1-9a-f]' /proc/self/status", true},
    {"BeTheHostsRoot", kStillOurs, true},
    {"WriteToTheSystem", "touch /usr/prx-escape && rm /usr/prx-escape", true},
};

std::vector<std::string> prx_line(const std::string& prx, const std::string& sandbox, const std::string& line,
                                  const std::vector<std::string>& settings = {}) {
  std::vector<std::string> command{prx,   "run",   "--timeout",
                                   "30s", "--set", "security.sandbox.backend=" + sandbox};
  for (const auto& setting : settings) command.insert(command.end(), {"--set", setting});
  for (const auto* variable : {"OUT", "HOST_PID", "PORT", "ABSTRACT"})
    command.insert(command.end(), {"-e", variable});
  command.insert(command.end(), {"-c", line});
  return command;
}

/// One kind, started by one of two users.
class Sandboxed : public ::testing::TestWithParam<std::tuple<Kind, Attempt>> {
 protected:
  [[nodiscard]] static const Kind& kind() { return std::get<0>(GetParam()); }
  [[nodiscard]] static const Attempt& attempt() { return std::get<1>(GetParam()); }

  /// False where the kind cannot be tried here, which is said then.
  static bool can_try(const std::string& user) {
    if (!OrdinaryUser::possible()) {
      not_proven("escape." + std::string(kind().name) + "_" + user, "not root");
      return false;
    }
    if (kind().program == nullptr || std::filesystem::exists(kind().program)) return true;
    not_proven("escape." + std::string(kind().name), std::string(kind().program) + " is not installed");
    return false;
  }

  ProgramResult run_as_root(const char* sandbox) const {
    ProgramOptions options;
    options.env = host().env();
    options.working_dir = host().folder() + "/ws";
    return run_program(prx_line(prx_path(), sandbox, attempt().line), options);
  }

  ProgramResult run_as_user(const char* sandbox) const {
    // A process of its own, since another user's could not be signalled anyway.
    const std::string line =
        std::string("sleep 30 </dev/null >/dev/null 2>&1 & HOST_PID=$!; export HOST_PID; ") + "exec \"$@\"";
    ProgramOptions options;
    options.env = host().env();
    options.working_dir = host().folder() + "/ws";
    auto command = prx_line(user_.folder() + "/prx", sandbox, attempt().line);
    command.insert(command.begin(), {"/bin/sh", "-c", line, "sh"});
    return user_.run(command, options);
  }

  void be_host_of(bool user) {
    user_.install(prx_path());
    host_.emplace(user_.folder() + "/host", user || !kind().has_own_ids ? user_.id() : 0);
  }
  [[nodiscard]] const Host& host() const { return *host_; }
  [[nodiscard]] const OrdinaryUser& user() const { return user_; }

 private:
  OrdinaryUser user_;
  std::optional<Host> host_;
};

class Escape : public Sandboxed {
 protected:
  /// The control has succeeded; what the kind does not promise must succeed as well.
  static void expect_denied(const ProgramResult& inside) {
    if (lists(kind().not_given, attempt().name)) {
      EXPECT_EQ(inside.exit_code, 0) << "it is held after all: " << inside.out << inside.err;
      return;
    }
    EXPECT_NE(inside.exit_code, 0) << inside.out << inside.err;
    EXPECT_LT(inside.exit_code, 124) << "it was to run, and fail: " << inside.err;
  }
};

TEST_P(Escape, AsRoot) {
  if (!can_try("as_root")) return;
  be_host_of(false);
  const auto control = run_as_root("none");
  ASSERT_EQ(control.exit_code, 0) << "the line proves nothing: " << control.out << control.err;
  expect_denied(run_as_root(kind().name));
}

TEST_P(Escape, AsAnOrdinaryUser) {
  if (attempt().root_only || !can_try("as_user")) return;
  be_host_of(true);
  const auto control = run_as_user("none");
  ASSERT_EQ(control.exit_code, 0) << "the line proves nothing: " << control.out << control.err;
  expect_denied(run_as_user(kind().name));
}

std::string name_of(const ::testing::TestParamInfo<std::tuple<Kind, Attempt>>& test) {
  return std::string(std::get<0>(test.param).name) + "_" + std::get<1>(test.param).name;
}

INSTANTIATE_TEST_SUITE_P(Kinds, Escape,
                         ::testing::Combine(::testing::ValuesIn(kKinds), ::testing::ValuesIn(kAttempts)),
                         name_of);

/// What has to work all the same.
const std::vector<Attempt> kWork{
    {"WriteInTheWorkspace", "echo x > file && mkdir -p a/b && mv file a/b && rm -r a"},
    {"TemporaryFiles", "echo x > $(mktemp) && echo x > ${TMPDIR:-/tmp}/x"},
    {"HostsPlacesForTemporaryFiles",
     "echo x > /tmp/x && echo x > /var/tmp/x && echo x > /dev/shm/x && mktemp"},
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

class Work : public Sandboxed {
 protected:
  void expect_success(const ProgramResult& inside, uid_t owner) const {
    EXPECT_EQ(inside.exit_code, 0) << inside.out << inside.err;
    // What it has made belongs to whom the workspace does.
    for (const auto& entry : std::filesystem::recursive_directory_iterator(host().folder() + "/ws")) {
      struct stat status{};
      ASSERT_EQ(::lstat(entry.path().c_str(), &status), 0);
      EXPECT_EQ(status.st_uid, owner) << entry.path();
    }
  }
};

TEST_P(Work, AsRoot) {
  if (lists(kind().not_working, attempt().name) || !can_try("as_root")) return;
  be_host_of(false);
  expect_success(run_as_root(kind().name), kind().has_own_ids ? 0 : user().id());
}

TEST_P(Work, AsAnOrdinaryUser) {
  if (lists(kind().not_working, attempt().name) || !can_try("as_user")) return;
  be_host_of(true);
  expect_success(run_as_user(kind().name), user().id());
}

INSTANTIATE_TEST_SUITE_P(Kinds, Work,
                         ::testing::Combine(::testing::ValuesIn(kKinds), ::testing::ValuesIn(kWork)),
                         name_of);

/// Rows that are about the policy rather than about a line.
class Rules : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    if (GetParam().program != nullptr && !std::filesystem::exists(GetParam().program)) {
      not_proven("escape." + std::string(GetParam().name),
                 std::string(GetParam().program) + " is not installed");
      GTEST_SKIP();
    }
    if (!OrdinaryUser::possible()) {
      not_proven("escape." + std::string(GetParam().name) + "_rules", "not root");
      GTEST_SKIP();
    }
    user_.install(prx_path());
  }
  ProgramResult run(const std::string& sandbox, const std::string& line,
                    const std::vector<std::string>& settings) {
    return user_.run(prx_line(user_.folder() + "/prx", sandbox, line, settings), options());
  }
  [[nodiscard]] ProgramOptions options() const {
    ProgramOptions options;
    options.env = host_.env();
    options.working_dir = host_.folder() + "/ws";
    return options;
  }
  [[nodiscard]] const Host& host() const { return host_; }

 private:
  OrdinaryUser user_;
  Host host_{user_.folder() + "/host", user_.id()};
};

TEST_P(Rules, WhatIsHiddenIsNotReadOrTheRuleIsRefused) {
  const std::vector<std::string> hide{R"(security.sandbox.hidden_paths=["*.env"])"};
  const auto line = "grep -q secret hidden.env";
  ASSERT_EQ(run("none", line, {}).exit_code, 0);
  const auto inside = run(GetParam().name, line, hide);
  if (GetParam().hides_in_workspace) {
    EXPECT_NE(inside.exit_code, 0);
    EXPECT_LT(inside.exit_code, 124) << inside.err;
    return;
  }
  EXPECT_EQ(inside.exit_code, 125) << inside.out;
  EXPECT_NE(inside.err.find("hidden_paths"), std::string::npos) << inside.err;
  EXPECT_NE(inside.err.find("namespaces"), std::string::npos) << inside.err;
}

TEST_P(Rules, WhatIsHiddenInAReadOnlyGrantIsNotRead) {
  const auto grant = "security.sandbox.readonly_paths=[\"" + host().folder() + "/outside\"]";
  const auto hide = "security.sandbox.hidden_paths=[\"" + host().folder() + "/outside/file\"]";
  EXPECT_EQ(run(GetParam().name, "cat $OUT/file", {grant}).exit_code, 0);
  EXPECT_NE(run(GetParam().name, "echo x > $OUT/file", {grant}).exit_code, 0);
  EXPECT_NE(run(GetParam().name, "grep -q secret $OUT/file", {grant, hide}).exit_code, 0);
}

TEST_P(Rules, AGuaranteeThatIsNotGivenIsRefused) {
  const bool holds_metadata = !lists(GetParam().not_given, "ChangeModeOutside");
  const auto required = run(GetParam().name, "true", {R"(security.sandbox.require=["metadata"])"});
  EXPECT_EQ(required.exit_code, holds_metadata ? 0 : 125) << required.err;
  if (!holds_metadata) {
    EXPECT_NE(required.err.find("namespaces"), std::string::npos) << required.err;
  }
  const auto unknown = run(GetParam().name, "true", {R"(security.sandbox.require=["no-such"])"});
  EXPECT_EQ(unknown.exit_code, 125);
  EXPECT_NE(unknown.err.find("no-such"), std::string::npos) << unknown.err;
  EXPECT_EQ(run(GetParam().name, "true", {R"(security.sandbox.require=["content"])"}).exit_code, 0);
}

TEST_P(Rules, AsRootAWorkspaceOfRootsIsForItsOwnIdsOnly) {
  const TempDir dir;
  const Host rooted(dir.path());
  auto where = options();
  where.working_dir = rooted.folder() + "/ws";
  const auto line = "test $(id -u) != 0 || grep -q 'CapEff:.*[1-9a-f]' /proc/self/status || cat /etc/shadow";
  const auto plain = run_program(prx_line(prx_path(), GetParam().name, line), where);
  EXPECT_EQ(plain.exit_code, GetParam().has_own_ids ? 0 : 125) << plain.err;
  if (GetParam().has_own_ids) return;
  EXPECT_NE(plain.err.find("allow_root_id"), std::string::npos) << plain.err;
  const auto allowed =
      run_program(prx_line(prx_path(), GetParam().name, "echo x > file && ! cat /etc/shadow && ! ls /root",
                           {"security.sandbox.allow_root_id=true"}),
                  where);
  EXPECT_EQ(allowed.exit_code, 0) << allowed.err;
}

TEST_P(Rules, TheNetworkIsThereWhenItIsAllowed) {
  const auto inside = run(GetParam().name, kConnectByTcp, {"security.sandbox.allow_network=true"});
  EXPECT_EQ(inside.exit_code, 0) << inside.err;
}

TEST_P(Rules, WhatACommandLeavesGoesWithIt) {
  const auto inside =
      run(GetParam().name,
          "mkdir -p ~/a/b ${TMPDIR:-/tmp}/c; touch ~/a/b/f; chmod 0 ~/a/b; chmod 0 ~/a; "
          "d=${TMPDIR:-/tmp}/deep; mkdir -p $d; cd $d; for i in $(seq 300); do mkdir d; cd d; done; "
          "echo ${TMPDIR:-/tmp/none}",
          {});
  ASSERT_EQ(inside.exit_code, 0) << inside.err;
  const auto folder = inside.out.substr(0, inside.out.find('\n'));
  EXPECT_FALSE(std::filesystem::exists(folder)) << folder;
}

TEST_P(Rules, ACommandInANamespacelessHostRunsOrSaysWhyNot) {
  auto command = prx_line(prx_path(), GetParam().name, "echo it ran; ! cat $OUT/file");
  command.insert(command.begin(), probe_path("without_namespaces"));
  const auto inside = run_program(command, options());
  if (std::string(GetParam().name) == "landlock") {
    EXPECT_EQ(inside.exit_code, 0) << inside.err;
    EXPECT_EQ(inside.out, "it ran\n");
    return;
  }
  EXPECT_EQ(inside.exit_code, 125) << inside.out << inside.err;
  EXPECT_FALSE(inside.err.empty());
}

INSTANTIATE_TEST_SUITE_P(Kinds, Rules, ::testing::ValuesIn(kKinds),
                         [](const auto& test) { return std::string(test.param.name); });

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

}  // namespace
}  // namespace prx::test
