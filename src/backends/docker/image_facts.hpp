#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <prx/request.hpp>

#include "io/json_value.hpp"

namespace prx::backends {

/// What of an image does not change as long as its id does not.
struct ImageFacts {
  bool has_bash = false;
  std::string passwd;  ///< /etc/passwd; empty where there is none
  std::string group;
};

[[nodiscard]] std::string encode_facts(const ImageFacts& facts);
[[nodiscard]] ImageFacts decode_facts(const io::JsonValue& value);

/// An image's passwd and group with the user that commands run as.
struct IdentityFiles {
  std::string passwd;
  std::string group;
  std::string user;  ///< the name behind the id, the image's own where it has one
};
[[nodiscard]] IdentityFiles add_user(const ImageFacts& facts, std::uint32_t uid, std::uint32_t gid);

/// The variables of a command in a container before anything of the host's: the image's, and where its home
/// is.
[[nodiscard]] std::vector<EnvVar> surroundings_of(const std::vector<std::string>& image_env,
                                                  const std::string& user);

}  // namespace prx::backends
