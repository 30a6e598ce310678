#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace prx::backends {

/// A tar archive (ustar) with one regular file, owned by root.
[[nodiscard]] std::string make_tar(std::string_view name, std::string_view content, unsigned mode);

/// The content of the first entry, where that is a regular file.
[[nodiscard]] std::optional<std::string> first_file_of_tar(std::string_view archive);

}  // namespace prx::backends
