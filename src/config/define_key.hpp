#pragma once

#include <string_view>
#include <vector>

#include "config/key.hpp"
#include "config/read.hpp"
#include "config/show.hpp"

namespace prx::config {

template <class Owner, class Member>
Owner owner_of(Member Owner::*);

template <auto... Members>
[[nodiscard]] constexpr auto& member_of(auto& owner) {
  return (owner.*....*Members);
}

/// A key that is stored in `owner.*First.*Rest…`.
template <auto First, auto... Rest>
[[nodiscard]] constexpr auto key(const KeyInfo& info) {
  using Owner = decltype(owner_of(First));
  return Key<Owner>{
      info,
      [](Owner& owner, const Input& in) { read(in, member_of<First, Rest...>(owner)); },
      [](const Owner& owner, const KeyInfo& shown, std::string_view name, std::vector<ConfigItem>& items) {
        show({shown, name, items}, member_of<First, Rest...>(owner));
      },
  };
}

/// A key whose table is stored as JSON in a string.
template <auto Member>
[[nodiscard]] constexpr auto json_key(const KeyInfo& info) {
  using Owner = decltype(owner_of(Member));
  return Key<Owner>{
      info,
      [](Owner& owner, const Input& in) { read(in, JsonText{owner.*Member}); },
      [](const Owner& owner, const KeyInfo& shown, std::string_view name, std::vector<ConfigItem>& items) {
        show({shown, name, items}, JsonText{owner.*Member});
      },
  };
}

}  // namespace prx::config
