#include "init/landlock.hpp"

#include <linux/landlock.h>

#include "init/slot_path.hpp"
#include "init/sys.hpp"

namespace prx::init {
namespace {

/// landlock_ruleset_attr as of ABI 6; older headers know less of it.
struct RulesetAttributes {
  std::uint64_t handled_access_fs;
  std::uint64_t handled_access_net;
  std::uint64_t scoped;
};

/// What can be asked of something that is no directory (landlock(7)).
constexpr std::uint64_t kFileAccess = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                                      LANDLOCK_ACCESS_FS_READ_FILE | (1ULL << 14U) |  // TRUNCATE
                                      (1ULL << 15U);                                  // IOCTL_DEV

long add_rule(int ruleset, const char* path, std::uint64_t access) {
  long fd = open_path(path, O_PATH | O_DIRECTORY);
  if (fd == -ENOTDIR) {
    fd = open_path(path, O_PATH);
    access &= kFileAccess;
  }
  if (fd == -ENOENT || fd == -EACCES) return 0;  // nothing to allow: less than was granted
  if (fd < 0) return fd;
  const landlock_path_beneath_attr attributes{access, static_cast<int>(fd)};
  const long error =
      raw_syscall(__NR_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, as_arg(&attributes), 0);
  close_fd(static_cast<int>(fd));
  return error;
}

std::size_t attributes_size(const protocol::SlotPlan& plan) {
  if (plan.landlock_scoped != 0) return sizeof(RulesetAttributes);
  return plan.landlock_net != 0 ? 16 : 8;
}

}  // namespace

long make_ruleset(const protocol::SlotPlan& plan, std::string_view folder, int& ruleset, std::string_view& subject) {
  ruleset = -1;
  if (plan.landlock_fs == 0 && plan.landlock_net == 0 && plan.landlock_scoped == 0) return 0;
  const RulesetAttributes attributes{plan.landlock_fs, plan.landlock_net, plan.landlock_scoped};
  const long made = raw_syscall(__NR_landlock_create_ruleset, as_arg(&attributes),
                                static_cast<long>(attributes_size(plan)), 0);
  if (made < 0) return made;
  ruleset = static_cast<int>(made);
  long error = 0;
  plan.path_rules.for_each([&](const protocol::PathAccess& rule) {
    if (error < 0) return;
    const SlotPath path(rule.path, folder);
    error = path.ok() ? add_rule(ruleset, path.c_str(), rule.access) : -ENAMETOOLONG;
    if (error < 0) subject = rule.path;
  });
  return error;
}

}  // namespace prx::init
