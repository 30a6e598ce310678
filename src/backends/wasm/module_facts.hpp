#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <prx/result.hpp>

#include "backends/wasm/wasi_functions.hpp"

namespace prx::backends {

enum class ModuleKind {
  command,    ///< exports a function `_start`: a program
  reactor,    ///< exports a function `_initialize`: a library of WASI
  library,    ///< neither
  component,  ///< of the component model, which wraps modules
};
[[nodiscard]] std::string_view to_string(ModuleKind kind) noexcept;

struct ModuleImport {
  std::string module;
  std::string name;
  std::string_view kind;  ///< "function", "table", "memory", "global", "tag"
};

struct ModuleExport {
  std::string name;
  std::string_view kind;  ///< as of an import
};

struct ModuleMemory {
  std::uint64_t minimum = 0;  ///< pages of 64 KiB, as all of it
  std::optional<std::uint64_t> maximum;
};

/// What a module says of itself. Of a component only its kind.
struct ModuleFacts {
  ModuleKind kind = ModuleKind::library;
  std::vector<ModuleImport> imports;
  std::vector<ModuleExport> exports;
  std::vector<ModuleMemory> memories;  ///< its own, not those that it imports
};

[[nodiscard]] bool is_binary(std::string_view module) noexcept;

/// Reads the outline of a binary module; the code in it is not looked at, so it may still be none that an
/// engine takes. Pure. Error kind not_executable with the offset of what is wrong.
[[nodiscard]] Result<ModuleFacts> read_facts(std::string_view binary);

/// The functions of WASI by which a module uses a capability; empty where it does not.
[[nodiscard]] std::vector<std::string_view> uses_of(const ModuleFacts& facts, Capability capability);

/// Why it cannot be run as a program here; empty where it can.
[[nodiscard]] std::string why_no_program(const ModuleFacts& facts);

}  // namespace prx::backends
