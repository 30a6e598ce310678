#include "init/remove_tree.hpp"

#include "init/sys.hpp"
#include "init/text.hpp"
#include "os/directory_entries.hpp"

namespace prx::init {
namespace {

/// Each level holds a descriptor and some of the stack.
constexpr int kMaxDepth = 64;
constexpr int kSeekSet = 0;

class Removal {
 public:
  explicit Removal(int top) : top_(top) {}

  /// Everything in the directory, in passes: an entry that goes may hide another one from the listing.
  void empty(int directory, int depth) {
    bool progress = true;
    while (progress) {
      progress = false;
      raw_syscall(__NR_lseek, directory, 0, kSeekSet);
      os::for_each_entry(directory, [&](const os::DirectoryEntry& entry) {
        if (!entry.is_dot() && remove_entry(directory, entry.name, depth)) progress = true;
      });
    }
  }

 private:
  /// False when it is still there.
  bool remove_entry(int directory, const char* name, int depth) {
    const long error = raw_syscall(__NR_unlinkat, directory, as_arg(name), 0);
    if (error != -EISDIR && error != -EPERM) return error >= 0;
    if (raw_syscall(__NR_unlinkat, directory, as_arg(name), AT_REMOVEDIR) >= 0) return true;
    if (depth == kMaxDepth) return bring_up(directory, name);
    {
      const Opened inner(open_inner(directory, name));
      if (!inner.ok()) return false;
      empty(inner.get(), depth + 1);
    }
    return raw_syscall(__NR_unlinkat, directory, as_arg(name), AT_REMOVEDIR) >= 0;
  }

  static Opened open_inner(int directory, const char* name) {
    constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
    const long fd = raw_syscall(__NR_openat, directory, as_arg(name), kFlags);
    if (fd != -EACCES) return Opened(fd);
    // The command has taken its own rights away. Root comes here only without CAP_DAC_OVERRIDE, and what is
    // left of a command could put a link there.
    if (raw_syscall(__NR_geteuid) == 0) return Opened(fd);
    raw_syscall(__NR_fchmodat, directory, as_arg(name), 0700);
    return Opened(raw_syscall(__NR_openat, directory, as_arg(name), kFlags));
  }

  bool bring_up(int directory, const char* name) {
    Text<32> place;
    place.put(".prx-").put(brought_up_++);
    return raw_syscall(__NR_renameat2, directory, as_arg(name), top_, as_arg(place.c_str()), 0) >= 0;
  }

  int top_;
  unsigned brought_up_ = 0;
};

}  // namespace

void remove_tree(int parent, const char* name) {
  if (raw_syscall(__NR_unlinkat, parent, as_arg(name), AT_REMOVEDIR) >= 0) return;
  {
    const Opened top(raw_syscall(__NR_openat, parent, as_arg(name),
                                 O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!top.ok()) return;
    Removal(top.get()).empty(top.get(), 0);
  }
  raw_syscall(__NR_unlinkat, parent, as_arg(name), AT_REMOVEDIR);
}

}  // namespace prx::init
