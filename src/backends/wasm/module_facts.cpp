#include "backends/wasm/module_facts.hpp"

#include <algorithm>

#include "base/printable.hpp"

namespace prx::backends {
namespace {

constexpr std::string_view kMagic("\0asm", 4);
constexpr std::string_view kModuleVersion("\1\0\0\0", 4);
constexpr std::string_view kComponentLayer("\1\0", 2);
/// Engines take ten times as many; nothing that is made has them.
constexpr std::uint64_t kMaxEntries = 100'000;

enum SectionId : std::uint8_t { kImports = 2, kMemories = 5, kExports = 7, kLastSection = 13 };

/// Reads what may be cut off or a lie: after the first thing that is wrong everything reads as zero.
class Cursor {
 public:
  Cursor(std::string_view bytes, std::size_t offset) : bytes_(bytes), offset_(offset) {}

  [[nodiscard]] bool is_good() const { return problem_.empty(); }
  [[nodiscard]] bool is_at_end() const { return at_ == bytes_.size(); }
  [[nodiscard]] const std::string& problem() const { return problem_; }

  void fail(std::string_view what) {
    if (is_good()) problem_ = std::string(what) + " at byte " + std::to_string(offset_ + at_);
  }
  std::uint8_t byte() {
    if (is_good() && at_ < bytes_.size()) return static_cast<std::uint8_t>(bytes_[at_++]);
    fail("it is cut off");
    return 0;
  }
  /// LEB128 of at most `bits`.
  std::uint64_t number(unsigned bits = 32) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < bits; shift += 7) {
      const std::uint64_t part = byte();
      const auto room = bits - shift;
      if (room < 7 && ((part & 0x7fU) >> room) != 0) break;
      value |= (part & 0x7fU) << shift;
      if ((part & 0x80U) == 0) return is_good() ? value : 0;
    }
    fail("a number is too large");
    return 0;
  }
  std::string_view bytes(std::uint64_t size) {
    if (is_good() && size > bytes_.size() - at_) fail("it is cut off");
    if (!is_good()) return {};
    const auto part = bytes_.substr(at_, size);
    at_ += size;
    return part;
  }
  std::string_view name() { return bytes(number()); }
  std::uint64_t count() {
    const auto value = number();
    if (value > kMaxEntries) fail("more entries than any module has");
    return is_good() ? value : 0;
  }
  Cursor section(std::uint64_t size) {
    const auto begin = offset_ + at_;
    return {bytes(size), begin};
  }

 private:
  std::string_view bytes_;
  std::size_t offset_;  // of these bytes in the file
  std::size_t at_ = 0;
  std::string problem_;
};

/// A value's or reference's type: one byte, or two of them a reference to what follows.
void skip_type(Cursor& in) {
  constexpr std::uint8_t kNullableRef = 0x63;
  constexpr std::uint8_t kRef = 0x64;
  const auto type = in.byte();
  if (type == kNullableRef || type == kRef) (void)in.number(33);
}

ModuleMemory read_limits(Cursor& in) {
  constexpr unsigned kHasMaximum = 1;
  constexpr unsigned kIsWide = 4;
  constexpr unsigned kHasPageSize = 8;
  const auto flags = in.byte();
  const unsigned bits = (flags & kIsWide) != 0 ? 64 : 32;
  ModuleMemory limits;
  limits.minimum = in.number(bits);
  if ((flags & kHasMaximum) != 0) limits.maximum = in.number(bits);
  if ((flags & kHasPageSize) != 0) (void)in.number();
  return limits;
}

constexpr std::string_view kKinds[] = {"function", "table", "memory", "global", "tag"};

std::string_view read_kind(Cursor& in) {
  const auto kind = in.byte();
  if (kind < std::size(kKinds)) return kKinds[kind];
  in.fail("an unknown kind of import or export");
  return {};
}

void skip_import_type(Cursor& in, std::string_view kind) {
  if (kind == "function") (void)in.number();
  if (kind == "table") skip_type(in);
  if (kind == "table" || kind == "memory") (void)read_limits(in);
  if (kind == "global") skip_type(in);
  if (kind == "global" || kind == "tag") (void)in.byte();
  if (kind == "tag") (void)in.number();
}

void read_imports(Cursor& in, ModuleFacts& facts) {
  for (auto left = in.count(); left > 0 && in.is_good(); --left) {
    const auto module = in.name();
    const auto name = in.name();
    const auto kind = read_kind(in);
    skip_import_type(in, kind);
    facts.imports.push_back({std::string(module), std::string(name), kind});
  }
}

void read_memories(Cursor& in, ModuleFacts& facts) {
  for (auto left = in.count(); left > 0 && in.is_good(); --left) facts.memories.push_back(read_limits(in));
}

void read_exports(Cursor& in, ModuleFacts& facts) {
  for (auto left = in.count(); left > 0 && in.is_good(); --left) {
    const auto name = in.name();
    const auto kind = read_kind(in);
    (void)in.number();
    facts.exports.push_back({std::string(name), kind});
  }
}

void read_section(std::uint8_t id, Cursor& in, ModuleFacts& facts) {
  if (id == kImports) read_imports(in, facts);
  if (id == kMemories) read_memories(in, facts);
  if (id == kExports) read_exports(in, facts);
  const bool is_read = id == kImports || id == kMemories || id == kExports;
  if (is_read && !in.is_at_end()) in.fail("a section is longer than what it holds");
}

ModuleKind kind_of(const ModuleFacts& facts) {
  const auto exports = [&](std::string_view name) {
    return std::any_of(facts.exports.begin(), facts.exports.end(),
                       [&](const auto& one) { return one.name == name && one.kind == "function"; });
  };
  if (exports("_start")) return ModuleKind::command;
  return exports("_initialize") ? ModuleKind::reactor : ModuleKind::library;
}

Error no_module(std::string detail) {
  return {ErrorKind::not_executable,
          "inspect",
          {},
          0,
          std::move(detail),
          "it has to be a WebAssembly module (.wasm) or its text (.wat)"};
}

const ModuleImport* unknown_import(const ModuleFacts& facts) {
  const auto at = std::find_if(facts.imports.begin(), facts.imports.end(), [](const auto& import) {
    return import.kind != "function" || import.module != kWasiPreview1 ||
           wasi_function(import.name) == nullptr;
  });
  return at == facts.imports.end() ? nullptr : &*at;
}

}  // namespace

std::string_view to_string(ModuleKind kind) noexcept {
  switch (kind) {
    case ModuleKind::command:
      return "command";
    case ModuleKind::reactor:
      return "reactor";
    case ModuleKind::library:
      return "library";
    case ModuleKind::component:
      return "component";
  }
  return "library";
}

bool is_binary(std::string_view module) noexcept {
  return module.starts_with(kMagic);
}

Result<ModuleFacts> read_facts(std::string_view binary) {
  constexpr std::size_t kHeader = 8;
  ModuleFacts facts;
  if (!is_binary(binary)) return no_module("it does not begin as a module does");
  if (binary.size() < kHeader) return no_module("it is cut off at byte " + std::to_string(binary.size()));
  if (binary.substr(6, 2) == kComponentLayer) {
    facts.kind = ModuleKind::component;
    return facts;
  }
  if (binary.substr(4, 4) != kModuleVersion) return no_module("it is of a version that nobody knows");
  Cursor all(binary.substr(kHeader), kHeader);
  while (all.is_good() && !all.is_at_end()) {
    const auto id = all.byte();
    auto section = all.section(all.number());
    if (id > kLastSection) all.fail("an unknown section");
    if (!all.is_good()) break;
    read_section(id, section, facts);
    if (!section.is_good()) return no_module(section.problem());
  }
  if (!all.is_good()) return no_module(all.problem());
  facts.kind = kind_of(facts);
  return facts;
}

std::vector<std::string_view> uses_of(const ModuleFacts& facts, Capability capability) {
  std::vector<std::string_view> uses;
  for (const auto& import : facts.imports) {
    const auto* function = import.module == kWasiPreview1 ? wasi_function(import.name) : nullptr;
    if (function != nullptr && *function == capability) uses.push_back(import.name);
  }
  return uses;
}

std::string why_no_program(const ModuleFacts& facts) {
  switch (facts.kind) {
    case ModuleKind::component:
      return "a component (preview 2), which this build does not run";
    case ModuleKind::reactor:
      return "a library of WASI (it exports _initialize), not a program";
    case ModuleKind::library:
      return "it exports no function _start: a library, not a program";
    case ModuleKind::command:
      break;
  }
  if (const auto* import = unknown_import(facts)) {
    return "it imports the " + std::string(import->kind) + ' ' + base::printable(import->module) + '.' +
           base::printable(import->name) + ", which nothing here provides";
  }
  return {};
}

}  // namespace prx::backends
