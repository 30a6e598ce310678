#include "init/terminal.hpp"

#include <sys/ioctl.h>

#include "init/sys.hpp"

namespace prx::init {

long open_terminal(std::uint16_t rows, std::uint16_t columns, Terminal& terminal) {
  const long master = open_path("/dev/ptmx", O_RDWR | O_NOCTTY);
  if (master < 0) return master;
  int unlock = 0;
  long result = raw_syscall(__NR_ioctl, master, TIOCSPTLCK, as_arg(&unlock));
  // By descriptor, not by name: /dev/pts may be another mount than the master's (Linux 4.13).
  if (result >= 0) result = raw_syscall(__NR_ioctl, master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (result < 0) {
    close_fd(static_cast<int>(master));
    return result;
  }
  terminal = {static_cast<int>(master), static_cast<int>(result)};
  resize_terminal(terminal.master, rows, columns);
  return 0;
}

void resize_terminal(int master, std::uint16_t rows, std::uint16_t columns) {
  const winsize size{rows, columns, 0, 0};
  raw_syscall(__NR_ioctl, master, TIOCSWINSZ, as_arg(&size));
}

}  // namespace prx::init
