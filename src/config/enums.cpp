#include "config/enums.hpp"

namespace prx {

namespace {

template <class Enum>
std::string_view word_of(Enum value) noexcept {
  return config::words_of(value)[static_cast<std::size_t>(value)];
}

}  // namespace

std::string_view to_string(BackendChoice value) noexcept {
  return word_of(value);
}
std::string_view to_string(SandboxChoice value) noexcept {
  return word_of(value);
}
std::string_view to_string(DockerNetwork value) noexcept {
  return word_of(value);
}
std::string_view to_string(WasmEngine value) noexcept {
  return word_of(value);
}
std::string_view to_string(ToolRule value) noexcept {
  return word_of(value);
}
std::string_view to_string(ToolInput value) noexcept {
  return word_of(value);
}

std::string_view to_string(ConfigLayer layer) noexcept {
  switch (layer) {
    case ConfigLayer::built_in:
      return "built-in";
    case ConfigLayer::user:
      return "user";
    case ConfigLayer::environment:
      return "environment";
    case ConfigLayer::option:
      return "option";
  }
  return "built-in";
}

}  // namespace prx
