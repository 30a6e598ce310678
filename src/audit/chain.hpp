#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/json.hpp"
#include "io/json_value.hpp"

namespace prx::audit {

/// The hash before the first record.
inline constexpr std::string_view kNoHash =
    "0000000000000000000000000000000000000000000000000000000000000000";

/// Where a chain stands: how many records it has, and the hash of the last.
struct ChainEnd {
  std::uint64_t records = 0;
  std::string hash{kNoHash};
};

/// A record as its line, without the line break: number and hashes are put around its members. The hash is
/// BLAKE2b-256 over all of the line that stands before it, the hash of the record before among it.
[[nodiscard]] std::string seal_record(const io::Json& members, const ChainEnd& before, ChainEnd& after);

/// A line, looked at by itself.
struct Record {
  std::uint64_t number = 0;
  std::string previous;
  std::string hash;
  io::JsonValue json;
};

/// Nothing where it is no record, or its hash is not that of its text.
[[nodiscard]] std::optional<Record> open_record(std::string_view line);

}  // namespace prx::audit
