#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <prx/config.hpp>

#include "config/value.hpp"

namespace prx::config {

/// One layer while it is read: knows where its values stand and collects what is wrong with them.
class Layer {
 public:
  /// Both references must outlive the layer. `home` expands "~/"; empty where there is none.
  Layer(ConfigLayer kind, std::string source, std::string_view home, std::vector<ConfigFinding>& findings,
        std::map<std::string, Origin>& origins);

  [[nodiscard]] ConfigLayer kind() const noexcept { return kind_; }
  [[nodiscard]] std::string_view home() const noexcept { return home_; }

  /// An error: loading will fail.
  void refuse(std::string_view key, Position at, std::string text, std::string hint = {});
  /// Worth knowing, no reason to fail.
  void note(std::string_view key, Position at, std::string text, std::string hint = {});
  /// `key` now has its value from here.
  void accept(std::string_view key, Position at);

 private:
  [[nodiscard]] Origin origin(Position at) const;

  ConfigLayer kind_;
  std::string source_;
  std::string_view home_;
  std::vector<ConfigFinding>& findings_;
  std::map<std::string, Origin>& origins_;
};

}  // namespace prx::config
