#pragma once

#include <sys/stat.h>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

namespace prx::backends {

/// Whether nobody but this user can write to it; `kind` as S_IFREG, S_IFDIR.
[[nodiscard]] bool is_own(const struct stat& status, mode_t kind);

/// All of it; nothing for a file that somebody else could have written, that is larger than `most`, or that
/// is none. A link is none.
[[nodiscard]] std::optional<std::string> read_own(const std::string& path, std::size_t most);

/// Writes a file that must not be there yet. 0, or the errno; then it may be there in part.
[[nodiscard]] int write_new(const std::string& path, std::initializer_list<std::string_view> parts);

/// A name beside `path` for what is to become it: unique among processes and threads, ending in ".tmp".
[[nodiscard]] std::string temporary_name(const std::string& path);

}  // namespace prx::backends
