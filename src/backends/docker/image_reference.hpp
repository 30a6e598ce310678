#pragma once

#include <string>
#include <string_view>

namespace prx::backends {

/// An image as people write it: "debian", "debian:bookworm-slim", "registry:5000/team/tool@sha256:…".
struct ImageReference {
  std::string repository;  ///< what a pull is asked for
  std::string tag;         ///< or digest; "latest" where none was written
  std::string registry;    ///< the name that credentials are kept under
};

[[nodiscard]] ImageReference parse_image_reference(std::string_view text);

}  // namespace prx::backends
