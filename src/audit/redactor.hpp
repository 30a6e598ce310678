#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <prx/request.hpp>

#include "io/json.hpp"
#include "io/json_value.hpp"

namespace prx::audit {

/// Takes secrets out of what is written down: values that are known to be secret, values of names that say so
/// (token, password, api_key …), and what looks like a key. It cannot know every secret.
class Redactor {
 public:
  /// `environment`: "NAME=value" of this process; the values of secret names are known secrets.
  explicit Redactor(const std::vector<std::string>& environment);

  /// The same, and what this request adds.
  [[nodiscard]] Redactor with(const std::vector<EnvVar>& variables) const;

  /// The same, and the arguments of a call whose names say that they are secret.
  [[nodiscard]] Redactor with(const io::JsonValue& arguments) const;

  /// A command, a message.
  [[nodiscard]] std::string text(std::string_view text) const;
  /// Arguments of a call.
  [[nodiscard]] io::Json json(const io::JsonValue& value) const;

  [[nodiscard]] static bool is_secret_name(std::string_view name);

 private:
  void add(std::string_view name, std::string_view value);
  void add_members(const io::JsonValue& value);
  [[nodiscard]] std::string without_known(std::string text) const;

  std::vector<std::string> secrets_;
};

}  // namespace prx::audit
