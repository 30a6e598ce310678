#include "support/ordinary_user.hpp"

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <utility>

#include "support/artefacts.hpp"

namespace prx::test {
namespace {

namespace fs = std::filesystem;

/// The highest id below the range of systemd's own that has no passwd entry. One for each test process,
/// so that limits counted by user (RLIMIT_NPROC) are not shared by tests that run side by side.
uid_t id_without_entry() {
  constexpr uid_t kFirst = 40'000;
  constexpr uid_t kRange = 20'000;
  uid_t id = kFirst + static_cast<uid_t>(getpid()) % kRange;
  while (getpwuid(id) != nullptr) ++id;
  return id;
}

void give_to(uid_t id, const std::string& path, mode_t mode) {
  if (chown(path.c_str(), id, id) != 0 || chmod(path.c_str(), mode) != 0) {
    throw std::runtime_error("cannot give away " + path);
  }
}

std::vector<std::string> least_environment(const std::string& home) {
  std::vector<std::string> variables{"HOME=" + home, "PATH=/usr/local/bin:/usr/bin:/bin"};
  if (const char* marker = std::getenv("PRX_TEST_MARK")) {
    variables.push_back(std::string("PRX_TEST_MARK=") += marker);
  }
  return variables;
}

}  // namespace

OrdinaryUser::OrdinaryUser() : id_(id_without_entry()), folder_("/tmp/prx-user-XXXXXX") {
  if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("no temporary folder");
  give_to(id_, folder_, 0700);
}

OrdinaryUser::~OrdinaryUser() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

bool OrdinaryUser::possible() {
  return geteuid() == 0;
}

std::string OrdinaryUser::install(const std::string& program) const {
  auto target = folder_ + '/' + fs::path(program).filename().string();
  fs::copy_file(program, target, fs::copy_options::overwrite_existing);
  give_to(id_, target, 0755);
  return target;
}

std::vector<std::string> OrdinaryUser::command(const std::vector<std::string>& argv) const {
  std::vector<std::string> whole{probe_path("as_id"), std::to_string(id_), std::to_string(id_)};
  whole.insert(whole.end(), argv.begin(), argv.end());
  return whole;
}

ProgramResult OrdinaryUser::run(const std::vector<std::string>& argv, ProgramOptions options) const {
  if (options.working_dir.empty()) options.working_dir = folder_;
  if (!options.env) options.env = least_environment(folder_);
  return run_program(command(argv), std::move(options));
}

}  // namespace prx::test
