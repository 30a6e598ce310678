#pragma once

#include <string_view>
#include <vector>

#include "config/key.hpp"
#include "config/read.hpp"
#include "config/show.hpp"

namespace prx::config {

template <class Owner, class Member>
Owner owner_of(Member Owner::*);

template <auto... members>
[[nodiscard]] constexpr auto& member_of(auto& owner) {
  return (owner.*....*members);
}

/// A key that is stored in `owner.*first.*rest…`.
template <auto first, auto... rest>
[[nodiscard]] constexpr auto key(const KeyInfo& info) {
  using Owner = decltype(owner_of(first));
  return Key<Owner>{
      info,
      [](Owner& owner, const Input& in) { read(in, member_of<first, rest...>(owner)); },
      [](const Owner& owner, const KeyInfo& shown, std::string_view name, std::vector<ConfigItem>& items) {
        show({shown, name, items}, member_of<first, rest...>(owner));
      },
  };
}

/// A key whose table is stored as JSON in a string.
template <auto member>
[[nodiscard]] constexpr auto json_key(const KeyInfo& info) {
  using Owner = decltype(owner_of(member));
  return Key<Owner>{
      info,
      [](Owner& owner, const Input& in) { read(in, JsonText{owner.*member}); },
      [](const Owner& owner, const KeyInfo& shown, std::string_view name, std::vector<ConfigItem>& items) {
        show({shown, name, items}, JsonText{owner.*member});
      },
  };
}

}  // namespace prx::config
