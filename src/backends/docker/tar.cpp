#include "backends/docker/tar.hpp"

#include <fmt/format.h>

#include <charconv>

namespace prx::backends {
namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kSizeAt = 124;
constexpr std::size_t kSizeLength = 11;
constexpr std::size_t kChecksumAt = 148;
constexpr std::size_t kTypeAt = 156;

void put(std::string& block, std::size_t at, std::string_view text) {
  block.replace(at, text.size(), text);
}

}  // namespace

std::string make_tar(std::string_view name, std::string_view content, unsigned mode) {
  std::string block(kBlock, '\0');
  put(block, 0, name.substr(0, 99));
  put(block, 100, fmt::format("{:07o}", mode));
  put(block, 108, "0000000");  // uid
  put(block, 116, "0000000");  // gid
  put(block, kSizeAt, fmt::format("{:011o}", content.size()));
  put(block, 136, "00000000000");  // time
  put(block, kChecksumAt, "        ");
  put(block, kTypeAt, "0");
  put(block, 257, std::string_view("ustar\00000", 8));
  unsigned sum = 0;
  for (const char c : block) sum += static_cast<unsigned char>(c);
  put(block, kChecksumAt, fmt::format("{:06o}", sum) + std::string("\0 ", 2));
  auto archive = block + std::string(content);
  archive.resize((archive.size() + kBlock - 1) / kBlock * kBlock + 2 * kBlock, '\0');
  return archive;
}

std::optional<std::string> first_file_of_tar(std::string_view archive) {
  if (archive.size() < kBlock) return std::nullopt;
  const char type = archive[kTypeAt];
  const auto digits = archive.substr(kSizeAt, kSizeLength);
  std::size_t size = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), size, 8);
  if ((type != '0' && type != '\0') || parsed.ec != std::errc() || archive.size() - kBlock < size)
    return std::nullopt;
  return std::string(archive.substr(kBlock, size));
}

}  // namespace prx::backends
