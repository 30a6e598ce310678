#pragma once

#include <cstdint>

namespace prx::init {

/// A pseudo-terminal of the slot's own /dev/pts.
struct Terminal {
  int master = -1;
  int slave = -1;
};

/// Opens one with the given size. Returns 0 or -errno.
long open_terminal(std::uint16_t rows, std::uint16_t columns, Terminal& terminal);

/// Sets the size; the kernel tells the foreground group (SIGWINCH).
void resize_terminal(int master, std::uint16_t rows, std::uint16_t columns);

}  // namespace prx::init
