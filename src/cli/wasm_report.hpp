#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <prx/config.hpp>

#include "app/wasm_modules.hpp"
#include "io/json.hpp"

namespace prx::cli {

/// A capability that a module uses, and what the configuration grants of it.
struct ModuleNeed {
  std::string_view capability;  ///< below runtime.wasm.capabilities
  std::vector<std::string_view> functions;
  std::vector<std::string> granted;  ///< empty: nothing
  std::string origin;                ///< what granted it, or did not
};

/// Pure. The functions are those of `facts`, which has to outlive it.
[[nodiscard]] std::vector<ModuleNeed> needs_of(const backends::ModuleFacts& facts, const Config& config);

/// All of one module, a line or more for each fact.
[[nodiscard]] std::string module_text(const backends::ModuleReport& report, const Config& config);
[[nodiscard]] io::Json module_json(const backends::ModuleReport& report, const Config& config);

/// A line for each module.
[[nodiscard]] std::string modules_text(const std::vector<backends::ModuleReport>& reports,
                                       const std::string& folder);
[[nodiscard]] io::Json modules_json(const std::vector<backends::ModuleReport>& reports);

}  // namespace prx::cli
