#include "tools/registry.hpp"

#include <utility>

#include "base/printable.hpp"
#include "base/try.hpp"
#include "config/suggest.hpp"
#include "tools/custom_tool.hpp"
#include "tools/shell_tool.hpp"

namespace prx::tools {

Result<Registry> Registry::make(const Config& config,
                                const std::function<bool(const std::string&)>& is_module) {
  Registry registry;
  PRX_TRY(auto shell, make_shell_tool());
  PRX_CHECK(registry.add(std::move(shell)));
  for (const auto& [name, tool] : config.custom_tools) {
    PRX_TRY(auto made, make_custom_tool(name, tool, is_module(name)));
    PRX_CHECK(registry.add(std::move(made)));
  }
  for (const auto& [name, tool] : registry.tools_) registry.infos_.push_back(tool.info);
  return registry;
}

Result<void> Registry::add(Tool tool) {
  std::string name = tool.info.name;
  if (tools_.contains(name)) {
    return Error{ErrorKind::invalid_request,
                 "tool",
                 "tools.custom." + name,
                 0,
                 "there is a built-in tool of that name",
                 "give it another name"};
  }
  tools_.emplace(std::move(name), std::move(tool));
  return {};
}

Result<const Tool*> Registry::find(std::string_view name) const {
  if (const auto found = tools_.find(name); found != tools_.end()) return &found->second;
  std::vector<std::string_view> names;
  std::string all;
  for (const auto& [known, tool] : tools_) {
    names.push_back(known);
    all += (all.empty() ? "" : ", ") + known;
  }
  const auto guess = config::nearest(name, names);
  return Error{ErrorKind::not_found,
               "tool",
               base::printable(name.substr(0, 128)),
               0,
               "there is no such tool",
               guess ? "did you mean " + std::string(*guess) + "?" : "there are: " + all};
}

}  // namespace prx::tools
