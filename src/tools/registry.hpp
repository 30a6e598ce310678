#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <prx/config.hpp>

#include "tools/tool.hpp"

namespace prx::tools {

/// All tools of a configuration, by name. Immutable.
class Registry {
 public:
  /// `is_module` says of a tool whether its calls run the module of its name. Errors as
  /// Toolbox::create().
  [[nodiscard]] static Result<Registry> make(const Config& config,
                                             const std::function<bool(const std::string&)>& is_module);

  [[nodiscard]] std::span<const ToolInfo> list() const noexcept { return infos_; }
  /// Error kind not_found, with the nearest name.
  [[nodiscard]] Result<const Tool*> find(std::string_view name) const;

 private:
  [[nodiscard]] Result<void> add(Tool tool);

  std::map<std::string, Tool, std::less<>> tools_;
  std::vector<ToolInfo> infos_;
};

}  // namespace prx::tools
