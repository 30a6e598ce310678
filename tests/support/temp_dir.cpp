#include "support/temp_dir.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace prx::test {

TempDir::TempDir() : path_("/tmp/prx-test-XXXXXX") {
  if (mkdtemp(path_.data()) == nullptr) throw std::runtime_error("no temporary folder: " + path_);
}

TempDir::~TempDir() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::string TempDir::operator/(std::string_view name) const {
  return (path_ + '/') += name;
}

std::string TempDir::write(std::string_view name, std::string_view content, unsigned mode) const {
  auto path = *this / name;
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << content;
  file.close();
  if (!file || chmod(path.c_str(), mode) != 0) throw std::runtime_error("cannot write " + path);
  return path;
}

std::string read_file(const std::string& path) {
  // By hand: a stream throws when a process ends between open and read of its file in /proc.
  std::string content;
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return content;
  std::array<char, 4096> piece{};
  for (ssize_t size = 0; (size = read(fd, piece.data(), piece.size())) > 0;) {
    content.append(piece.data(), static_cast<std::size_t>(size));
  }
  close(fd);
  return content;
}

}  // namespace prx::test
