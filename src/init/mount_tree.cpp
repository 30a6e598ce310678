#include "init/mount_tree.hpp"

#include <sys/stat.h>

#include <cstring>

#include "init/mount_calls.hpp"
#include "init/sys.hpp"
#include "init/text.hpp"

namespace prx::init {
namespace {

using protocol::PlannedMount;
using protocol::SlotPlan;

constexpr std::size_t kMaxPath = 4096;
/// Where private files and directories are kept that are shown over something of the host's.
constexpr const char* kStash = ".prx";

struct stat status_of(int fd) {
  struct stat status{};
  raw_syscall(__NR_newfstatat, fd, as_arg(""), as_arg(&status), AT_EMPTY_PATH);
  return status;
}

std::uint64_t device_of(int fd) {
  return status_of(fd).st_dev;
}

class Tree {
 public:
  Tree(const SlotPlan& plan, const Identity& identity) : plan_(plan), identity_(identity) {}
  ~Tree() { close_fd(root_); }
  Tree(const Tree&) = delete;
  Tree& operator=(const Tree&) = delete;

  long open();
  long place(const PlannedMount& mount);
  long enter();

 private:
  long place_bind(const PlannedMount& mount);
  long place_private(const PlannedMount& mount);
  long place_file(const PlannedMount& mount);
  long place_symlink(const PlannedMount& mount);
  long place_made(const PlannedMount& mount, const char* type, std::span<const MountOption> options);

  long make_place(const char* path, bool directory);
  long make_entry(char* path, std::size_t parent_end, bool directory);
  long open_place(const PlannedMount& mount, bool directory);
  long stash(const PlannedMount& mount);
  long fill_file(const PlannedMount& mount, const char* name);
  long set_owner(int fd) const;
  [[nodiscard]] long make_owned(const PlannedMount& mount, int tree) const;

  const SlotPlan& plan_;
  const Identity& identity_;
  int root_ = -1;
  unsigned stashed_ = 0;
};

long Tree::open() {
  // What happens here must not reach the host, nor the other way round.
  mount_attr private_mounts{};
  private_mounts.propagation = 1U << 18U;  // MS_PRIVATE
  const Opened host(open_path("/", O_PATH | O_DIRECTORY));
  if (!host.ok()) return host.error();
  if (const long error = set_attributes(host.get(), private_mounts, true); error < 0) return error;

  Text<32> size;
  size.put(plan_.tmpfs_bytes);
  const MountOption options[] = {{"mode", "0755"}, {"size", size.c_str()}};
  const auto wanted = std::span(options).first(plan_.tmpfs_bytes == 0 ? 1 : 2);
  const long tree = make_mount("tmpfs", wanted, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV);
  if (tree < 0) return tree;
  root_ = static_cast<int>(tree);
  if (const long error = raw_syscall(__NR_mkdirat, root_, as_arg(kStash), 0700); error < 0) return error;
  // On top of "/": paths still lead to the host's tree, since this process stands below it until enter().
  return attach(root_, host.get());
}

/// Makes what is missing on the way, in the tmpfs alone: nothing is ever created on the host.
long Tree::make_place(const char* path, bool directory) {
  char part[kMaxPath];
  const std::size_t length = strlen(path);
  if (length >= kMaxPath) return -ENAMETOOLONG;
  memcpy(part, path, length + 1);
  std::size_t parent_end = 0;  // where the slash before the last name is
  for (std::size_t i = 1; i <= length; ++i) {
    if (part[i] != '/' && part[i] != '\0') continue;
    const bool last = part[i] == '\0';
    part[i] = '\0';
    const Opened there(open_below(root_, part, O_PATH | O_NOFOLLOW));
    if (there.error() == -ENOENT) {
      if (const long error = make_entry(part, parent_end, directory || !last); error < 0) return error;
    } else if (!there.ok()) {
      return there.error();
    }
    if (!last) part[i] = '/';
    parent_end = i;
  }
  return 0;
}

long Tree::make_entry(char* path, std::size_t parent_end, bool directory) {
  path[parent_end] = '\0';
  const Opened parent(open_below(root_, parent_end == 0 ? "/" : path, O_PATH | O_DIRECTORY));
  path[parent_end] = '/';
  if (!parent.ok()) return parent.error();
  if (device_of(parent.get()) != device_of(root_)) return -ENOENT;
  const char* name = path + parent_end + 1;
  constexpr int kFileMode = S_IFREG | 0444;
  const long error = directory ? raw_syscall(__NR_mkdirat, parent.get(), as_arg(name), 0755)
                               : raw_syscall(__NR_mknodat, parent.get(), as_arg(name), kFileMode, 0);
  // In the command's own folder everything is the command's (~/.cargo around a granted ~/.cargo/bin).
  if (error < 0 || status_of(parent.get()).st_uid != identity_.id) return error;
  return raw_syscall(__NR_fchownat, parent.get(), as_arg(name), identity_.id, identity_.id,
                     AT_SYMLINK_NOFOLLOW);
}

long Tree::open_place(const PlannedMount& mount, bool directory) {
  if (mount.target.size() == 1) return raw_syscall(__NR_fcntl, root_, F_DUPFD_CLOEXEC, 3);
  if (const long error = make_place(mount.target.data(), directory); error < 0) return error;
  return open_below(root_, mount.target.data(), O_PATH | O_NOFOLLOW);
}

long Tree::set_owner(int fd) const {
  const long id = identity_.id;
  return id == 0 ? 0 : raw_syscall(__NR_fchownat, fd, as_arg(""), id, id, AT_EMPTY_PATH);
}

long Tree::make_owned(const PlannedMount& mount, int tree) const {
  const int user_namespace = identity_.find(mount.uid, mount.gid);
  if (user_namespace < 0) return 0;  // the host's own ids
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_IDMAP;
  attributes.userns_fd = static_cast<unsigned>(user_namespace);
  const long error = set_attributes(tree, attributes, true);
  // The file systems below a granted one may not all know it (procfs, FUSE): those stay as they are, which is
  // less than was granted.
  return error == -EINVAL ? set_attributes(tree, attributes, false) : error;
}

long Tree::place_bind(const PlannedMount& mount) {
  const Opened source(open_below(AT_FDCWD, mount.source.data(), O_PATH));
  if (!source.ok()) {
    const bool missing = source.error() == -ENOENT || source.error() == -ENOTDIR || source.error() == -EACCES;
    return missing && mount.has(PlannedMount::optional) ? 0 : source.error();
  }
  const auto status = status_of(source.get());
  const bool same = status.st_dev == mount.device && status.st_ino == mount.inode;
  if (mount.has(PlannedMount::checked) && !same) return -ESTALE;
  const Opened tree(clone_tree(source.get()));
  if (!tree.ok()) return tree.error();
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_NOSUID;
  if (mount.kind != PlannedMount::Kind::device) attributes.attr_set |= MOUNT_ATTR_NODEV;
  if (!mount.has(PlannedMount::writable)) attributes.attr_set |= MOUNT_ATTR_RDONLY;
  if (const long error = set_attributes(tree.get(), attributes, true); error < 0) return error;
  if (mount.has(PlannedMount::owned)) {
    if (const long error = make_owned(mount, tree.get()); error < 0) return error;
  }
  const Opened place(open_place(mount, (status.st_mode & S_IFMT) == S_IFDIR));
  return place.ok() ? attach(tree.get(), place.get()) : place.error();
}

long Tree::fill_file(const PlannedMount& mount, const char* name) {
  const Opened directory(open_below(root_, kStash, O_PATH | O_DIRECTORY));
  const Opened file(
      raw_syscall(__NR_openat, directory.get(), as_arg(name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.ok()) return file.error();
  if (write_fd(file.get(), mount.source.data(), mount.source.size()) < 0) return -ENOSPC;
  return raw_syscall(__NR_fchmod, file.get(), mount.mode);
}

/// A new private file or directory; its descriptor.
long Tree::stash(const PlannedMount& mount) {
  Text<32> name;
  name.put(stashed_++);
  const Opened directory(open_below(root_, kStash, O_PATH | O_DIRECTORY));
  if (mount.kind == PlannedMount::Kind::file) {
    if (const long error = fill_file(mount, name.c_str()); error < 0) return error;
  } else {
    if (const long error = raw_syscall(__NR_mkdirat, directory.get(), as_arg(name.c_str()), 0700); error < 0)
      return error;
    raw_syscall(__NR_fchmodat, directory.get(), as_arg(name.c_str()), mount.mode);
  }
  const long fd =
      raw_syscall(__NR_openat, directory.get(), as_arg(name.c_str()), O_PATH | O_CLOEXEC | O_NOFOLLOW);
  if (fd >= 0 && mount.has(PlannedMount::writable)) {
    if (const long error = set_owner(static_cast<int>(fd)); error < 0) return error;
  }
  return fd;
}

long Tree::place_private(const PlannedMount& mount) {
  const Opened made(stash(mount));
  if (!made.ok()) return made.error();
  const Opened tree(clone_tree(made.get()));
  if (!tree.ok()) return tree.error();
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
  if (!mount.has(PlannedMount::writable)) attributes.attr_set |= MOUNT_ATTR_RDONLY;
  if (const long error = set_attributes(tree.get(), attributes, false); error < 0) return error;
  const Opened place(open_place(mount, mount.kind == PlannedMount::Kind::directory));
  if (!place.ok()) {
    const bool missing = place.error() == -ENOENT || place.error() == -ENOTDIR;
    return missing && mount.has(PlannedMount::optional) ? 0 : place.error();
  }
  return attach(tree.get(), place.get());
}

/// In a private directory: a file that the command may replace, as programs do with their configuration.
long Tree::place_file(const PlannedMount& mount) {
  if (const long error = make_place(mount.target.data(), false); error < 0) return error;
  const Opened file(open_below(root_, mount.target.data(), O_WRONLY | O_NOFOLLOW));
  if (!file.ok()) return file.error();
  if (device_of(file.get()) != device_of(root_)) return -EROFS;
  if (write_fd(file.get(), mount.source.data(), mount.source.size()) < 0) return -ENOSPC;
  if (const long error = raw_syscall(__NR_fchmod, file.get(), mount.mode); error < 0) return error;
  return set_owner(file.get());
}

long Tree::place_symlink(const PlannedMount& mount) {
  std::size_t slash = mount.target.size() - 1;
  while (mount.target[slash] != '/') --slash;
  char parent[kMaxPath];
  if (slash >= kMaxPath) return -ENAMETOOLONG;
  memcpy(parent, mount.target.data(), slash);
  parent[slash] = '\0';
  if (slash > 0) {
    if (const long error = make_place(parent, true); error < 0) return error;
  }
  const Opened directory(open_below(root_, slash == 0 ? "/" : parent, O_PATH | O_DIRECTORY));
  if (!directory.ok()) return directory.error();
  return raw_syscall(__NR_symlinkat, as_arg(mount.source.data()), directory.get(),
                     as_arg(mount.target.data() + slash + 1));
}

long Tree::place_made(const PlannedMount& mount, const char* type, std::span<const MountOption> options) {
  const Opened tree(make_mount(type, options, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NOEXEC));
  if (!tree.ok()) return tree.error();
  const Opened place(open_place(mount, true));
  return place.ok() ? attach(tree.get(), place.get()) : place.error();
}

long Tree::place(const PlannedMount& mount) {
  static constexpr MountOption kProc[] = {{"hidepid", "invisible"}};
  static constexpr MountOption kTerminals[] = {{"ptmxmode", "0666"}, {"mode", "0620"}};
  switch (mount.kind) {
    case PlannedMount::Kind::bind:
    case PlannedMount::Kind::device:
      return place_bind(mount);
    case PlannedMount::Kind::directory:
      return place_private(mount);
    case PlannedMount::Kind::file:
      return mount.has(PlannedMount::writable) ? place_file(mount) : place_private(mount);
    case PlannedMount::Kind::symlink:
      return place_symlink(mount);
    case PlannedMount::Kind::proc: {
      const long error = place_made(mount, "proc", kProc);
      return error == -EINVAL ? place_made(mount, "proc", {}) : error;  // hidepid by name: Linux 5.8
    }
    case PlannedMount::Kind::terminals:
      return place_made(mount, "devpts", kTerminals);
  }
  return -EINVAL;
}

/// The skeleton becomes read-only, the host's tree goes.
long Tree::enter() {
  // What is in the stash is shown where the plan says, and nowhere else.
  raw_syscall(__NR_fchmodat, root_, as_arg(kStash), 0);
  mount_attr attributes{};
  attributes.attr_set = MOUNT_ATTR_RDONLY;
  if (const long error = set_attributes(root_, attributes, false); error < 0) return error;
  if (const long error = raw_syscall(__NR_fchdir, root_); error < 0) return error;
  // Both at one place (pivot_root(2), "pivot_root(".", ".")"): the old root ends up on top, and goes.
  if (const long error = raw_syscall(__NR_pivot_root, as_arg("."), as_arg(".")); error < 0) return error;
  constexpr int kDetach = 2;  // MNT_DETACH
  if (const long error = raw_syscall(__NR_umount2, as_arg("."), kDetach); error < 0) return error;
  return raw_syscall(__NR_chdir, as_arg("/"));
}

}  // namespace

long make_mount(const char* type, std::span<const MountOption> options, unsigned attributes) {
  const Opened context(raw_syscall(__NR_fsopen, as_arg(type), FSOPEN_CLOEXEC));
  if (!context.ok()) return context.error();
  for (const auto& option : options) {
    const long error = raw_syscall(__NR_fsconfig, context.get(), FSCONFIG_SET_STRING, as_arg(option.key),
                                   as_arg(option.value), 0);
    if (error < 0) return error;
  }
  const long error = raw_syscall(__NR_fsconfig, context.get(), FSCONFIG_CMD_CREATE, 0, 0, 0);
  return error < 0 ? error : raw_syscall(__NR_fsmount, context.get(), FSMOUNT_CLOEXEC, attributes);
}

long build_tree(const SlotPlan& plan, const Identity& identity, std::string_view& subject) {
  Tree tree(plan, identity);
  subject = "/";
  long error = tree.open();
  plan.mounts.for_each([&](const PlannedMount& mount) {
    if (error < 0) return;
    error = tree.place(mount);
    if (error < 0) subject = mount.target;
  });
  if (error < 0) return error;
  subject = "/";
  return tree.enter();
}

}  // namespace prx::init
