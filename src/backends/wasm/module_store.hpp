#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <prx/config.hpp>
#include <prx/result.hpp>

#include "backends/wasm/code_cache.hpp"
#include "backends/wasm/module_facts.hpp"
#include "backends/wasm/module_file.hpp"

namespace prx::backends {

struct ModuleReport {
  std::string name;  ///< as a command names it
  std::string path;
  std::uint64_t size = 0;
  bool is_compiled = false;          ///< its code is kept
  std::optional<ModuleFacts> facts;  ///< where it could be read
  std::string problem;               ///< why it cannot be run; empty where it can
};

struct CompileReport {
  std::string path;
  bool was_kept = false;  ///< nothing was to do
  std::uint64_t code_size = 0;
  std::chrono::microseconds took{0};
};

/// The modules of `runtime.wasm.module_path`, and files anywhere, as people look after them. A module is
/// named as by a command (open_module()); relative paths begin at the current directory. Errors of steps
/// "exec" and "inspect" (of the module), "compile", "cache", "engine" (no worker), "install", "remove".
class ModuleStore {
 public:
  explicit ModuleStore(const Config& config);

  /// All of the folder, by name; one that is no module is among them, with its problem. A folder that is not
  /// there is empty.
  [[nodiscard]] Result<std::vector<ModuleReport>> list() const;
  [[nodiscard]] Result<ModuleReport> inspect(const std::string& name) const;
  /// Compiles it if its code is not kept. An error where its code cannot be kept.
  [[nodiscard]] Result<CompileReport> compile(const std::string& name) const;
  /// Copies a file that can be run into the folder, compiled; whole or not at all. `name`: empty for the
  /// file's own. Error kind invalid_request where there is such a module already, unless it is to be
  /// replaced.
  [[nodiscard]] Result<ModuleReport> install(const std::string& file, const std::string& name,
                                             bool replace) const;
  /// Removes it and its code from folder and cache; the file that it was.
  [[nodiscard]] Result<std::string> remove(const std::string& name) const;

 private:
  [[nodiscard]] Result<ModuleReport> report_of(const std::string& name, const ModuleFile& file,
                                               const std::string& content) const;
  [[nodiscard]] Result<ModuleFacts> facts_of(const ModuleFile& file, const std::string& content) const;
  [[nodiscard]] Result<CompileReport> compile_file(const ModuleFile& file) const;
  /// Empty without an engine.
  [[nodiscard]] std::string entry_of(const std::string& content) const;

  WasmEngine engine_;
  std::string folder_;
  CodeCache::Folders cache_;
};

}  // namespace prx::backends
