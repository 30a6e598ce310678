#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include <prx/units.hpp>

namespace prx::cli {

/// "2s", "500ms", "1m", "1.5h"; "0". A number needs its unit: `--timeout 2` could mean either.
[[nodiscard]] std::optional<std::chrono::milliseconds> try_duration(std::string_view text);

/// "4096", "64k", "1m", "2g" (powers of 1024; "mb" and "mib" mean the same).
[[nodiscard]] std::optional<Bytes> try_size(std::string_view text);

/// "2 s", "1.5 s", "750 ms", "12 us": for people.
[[nodiscard]] std::string duration_text(std::chrono::microseconds duration);
/// "1 MiB", "1500 bytes": for people.
[[nodiscard]] std::string size_text(Bytes size);

}  // namespace prx::cli
