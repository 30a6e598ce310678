#include "config/layer.hpp"

#include <utility>

namespace prx::config {

Layer::Layer(ConfigLayer kind, std::string source, std::string_view home,
             std::vector<ConfigFinding>& findings, std::map<std::string, Origin>& origins)
    : kind_(kind), source_(std::move(source)), home_(home), findings_(findings), origins_(origins) {}

void Layer::refuse(std::string_view key, Position at, std::string text, std::string hint) {
  findings_.push_back({true, origin(at), std::string(key), std::move(text), std::move(hint)});
}

void Layer::note(std::string_view key, Position at, std::string text, std::string hint) {
  findings_.push_back({false, origin(at), std::string(key), std::move(text), std::move(hint)});
}

void Layer::accept(std::string_view key, Position at) {
  origins_.insert_or_assign(std::string(key), origin(at));
}

Origin Layer::origin(Position at) const {
  // Only a file has lines; a value of a variable or an option was parsed on its own.
  if (kind_ != ConfigLayer::user) at = {};
  return {kind_, source_, at.line, at.column};
}

}  // namespace prx::config
