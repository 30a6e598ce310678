// prx-init safe: no allocation, no exception, no libc.
#pragma once

#include <cstdint>

#include "os/raw_syscall.hpp"

namespace prx::os {

/// One entry as getdents64 writes it.
struct DirectoryEntry {
  std::uint64_t inode;
  std::int64_t offset;
  unsigned short length;
  unsigned char type;
  char name[1];

  [[nodiscard]] bool is_directory() const noexcept { return type == 4; }  // DT_DIR
  [[nodiscard]] bool is_dot() const noexcept {
    return name[0] == '.' && (name[1] == '\0' || (name[1] == '.' && name[2] == '\0'));
  }
};

template <class F>
void for_each_entry(int directory, F&& visit) noexcept {
  alignas(DirectoryEntry) char buffer[1024];
  for (;;) {
    const long size = raw_syscall(__NR_getdents64, directory, as_arg(buffer), sizeof(buffer));
    if (size <= 0) return;
    for (long at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const DirectoryEntry*>(buffer + at);
      at += entry->length;
      visit(*entry);
    }
  }
}

/// Writes a number and a NUL; returns where the NUL is. `to` has room for 12 characters.
inline char* write_decimal(int value, char* to) noexcept {
  char digits[12];
  int count = 0;
  do {
    digits[count++] = static_cast<char>('0' + value % 10);
    value /= 10;
  } while (value > 0);
  while (count > 0) *to++ = digits[--count];
  *to = '\0';
  return to;
}

/// The number that `text` begins with, 0 where it begins with none.
inline int read_decimal(const char* text) noexcept {
  int value = 0;
  for (; *text >= '0' && *text <= '9'; ++text) value = value * 10 + (*text - '0');
  return value;
}

}  // namespace prx::os
