// Where executing a memfd is forbidden, prx-init is the installed file: exactly these bytes, written by
// nobody else.
#include <fcntl.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include "fault/fault.hpp"
#include "support/artefacts.hpp"
#include "support/not_proven.hpp"
#include "support/program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

namespace fs = std::filesystem;

class ForbiddenMemfd : public Fault {
 protected:
  void SetUp() override {
    Fault::SetUp();
    fs::copy_file(fault_host_path(), dir_ / "host");
  }

  /// How a copy of the host, with what lies beside it, runs a command.
  [[nodiscard]] ProgramResult run_host(const std::string& option = "library") const {
    std::vector<std::string> argv{probe_path("without_memfd"), dir_ / "host"};
    if (option != "library") argv.push_back(option);
    argv.insert(argv.end(), {"run", probe_path("noop"), "7"});
    return run_program(argv, {.env = {{"PATH=/usr/bin:/bin", "PRX_TEST_MARK=" + marker()}}});
  }

  void install_init(mode_t mode = 0755) const {
    fs::copy_file(prx_init_path(), installed(), fs::copy_options::overwrite_existing);
    ASSERT_EQ(chmod(installed().c_str(), mode), 0);
  }
  [[nodiscard]] std::string installed() const { return dir_ / "prx-init"; }

  void expect_refused() const {
    const auto result = run_host();
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out.find("error denied memfd_create 13\n"), 0U) << result.out;
    EXPECT_NE(result.out.find("install prx-init"), std::string::npos) << result.out;
  }
  void expect_works() const {
    for (const auto* option : {"library", "one_shot", "start"}) {
      const auto result = run_host(option);
      EXPECT_EQ(result.out, "exited 7\n") << option;
    }
  }

  TempDir dir_;
};

TEST_F(ForbiddenMemfd, WithoutAnInstalledFileTheErrorSaysWhatToDo) {
  expect_refused();
}

TEST_F(ForbiddenMemfd, TheInstalledFileIsUsed) {
  install_init();
  expect_works();
}

TEST_F(ForbiddenMemfd, AFileOfOtherBytesIsRefused) {
  install_init();
  auto bytes = read_file(installed());
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 1);
  dir_.write("prx-init", bytes, 0755);
  expect_refused();
  dir_.write("prx-init", read_file(prx_init_path()) + "x", 0755);
  expect_refused();
  dir_.write("prx-init", "", 0755);
  expect_refused();
  install_init();
  expect_works();
}

TEST_F(ForbiddenMemfd, AFileThatOthersMayWriteIsRefused) {
  for (const mode_t mode : {0775U, 0757U, 0777U}) {
    install_init(mode);
    expect_refused();
  }
  install_init(0755);
  if (geteuid() == 0) {
    ASSERT_EQ(chown(installed().c_str(), 12'345, 0), 0);
    expect_refused();
    ASSERT_EQ(chown(installed().c_str(), 0, 0), 0);
  }
  expect_works();
}

TEST_F(ForbiddenMemfd, ALinkOrADirectoryIsRefused) {
  fs::create_symlink(prx_init_path(), installed());
  expect_refused();
  fs::remove(installed());
  fs::create_directory(installed());
  expect_refused();
}

TEST_F(ForbiddenMemfd, ByTheKernelsOwnSwitch) {
  // vm.memfd_noexec belongs to a pid namespace (Linux 6.3): the first child of a new one may set it.
  constexpr int kNotHere = 42;
  const auto run_there = [&](const std::string& expected) {
    return in_child([&] {
      if (unshare(CLONE_NEWPID) != 0) _exit(kNotHere);
      const int status = in_child([&] {
        const int fd = open("/proc/sys/vm/memfd_noexec", O_WRONLY | O_CLOEXEC);
        if (fd < 0 || write(fd, "2", 1) != 1) _exit(kNotHere);
        close(fd);
        const auto result = run_program({dir_ / "host", "run", probe_path("noop"), "7"});
        EXPECT_EQ(result.out.find(expected), 0U) << result.out;
      });
      _exit(status);
    });
  };
  const int without = run_there("error denied");
  if (without == kNotHere)
    return not_proven("fault.memfd_noexec", "vm.memfd_noexec cannot be set in a pid namespace here");
  EXPECT_EQ(without, 0);
  install_init();
  EXPECT_EQ(run_there("exited 7\n"), 0);
}

}  // namespace
}  // namespace prx::test
