#pragma once

#include <span>
#include <string_view>

#include "config/layer.hpp"
#include "config/value.hpp"

namespace prx::config {

/// Tells the layer that `entry` is no key of `table`, with the key that was probably meant: a neighbour, or
/// the key of this name in another table. `known` are the names that `table` has.
void refuse_unknown_key(Layer& layer, std::string_view table, const Entry& entry,
                        std::span<const std::string_view> known);

/// The same for the top level, where a file may hold tables that are not prx's: they are noted.
void report_unknown_table(Layer& layer, const Entry& entry, std::span<const std::string_view> known);

}  // namespace prx::config
