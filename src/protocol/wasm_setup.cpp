#include "protocol/wasm_setup.hpp"

#include "protocol/cursor.hpp"

namespace prx::protocol {
namespace {
constexpr std::size_t kStringOverhead = 5;  // length and NUL
}

std::string encode_wasm_setup(const WasmSetup& setup) {
  std::size_t size = 8 + 1 + 4;
  for (const auto& directory : setup.directories) {
    size += directory.host.size() + directory.guest.size() + 2 * kStringOverhead + 1;
  }
  std::string text(size, '\0');
  Writer writer(std::as_writable_bytes(std::span(text)));
  writer.u64(setup.max_memory);
  writer.u8(setup.parks ? 1 : 0);
  writer.u32(static_cast<std::uint32_t>(setup.directories.size()));
  for (const auto& directory : setup.directories) {
    writer.string(directory.host);
    writer.string(directory.guest);
    writer.u8(directory.writable ? 1 : 0);
  }
  return text;
}

std::optional<WasmSetup> decode_wasm_setup(std::span<const std::byte> bytes) {
  Reader reader(bytes);
  WasmSetup setup;
  setup.max_memory = reader.u64();
  setup.parks = reader.u8() == 1;
  for (auto left = reader.u32(); left > 0 && reader.ok(); --left) {
    WasmDirectory directory;
    directory.host = reader.string();
    directory.guest = reader.string();
    directory.writable = reader.u8() == 1;
    setup.directories.push_back(std::move(directory));
  }
  if (!reader.finished()) return std::nullopt;
  return setup;
}

}  // namespace prx::protocol
