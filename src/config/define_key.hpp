#pragma once

#include <string_view>
#include <vector>

#include "config/key.hpp"
#include "config/read.hpp"
#include "config/show.hpp"

namespace prx::config {

/// A key that is stored where `access`, a lambda without captures, points to in its owner.
template <class Owner, class Access>
[[nodiscard]] constexpr Key<Owner> define_key(const KeyInfo& info, Access) {
  return {
      info,
      [](Owner& owner, const Input& in) { read(in, Access{}(owner)); },
      [](const Owner& owner, const KeyInfo& shown, std::string_view key, std::vector<ConfigItem>& items) {
        show({shown, key, items}, Access{}(owner));
      },
  };
}

}  // namespace prx::config
