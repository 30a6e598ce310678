#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <prx/result.hpp>

#include "io/json_value.hpp"

namespace prx::tools {

/// The `args` of a custom tool: text with {name} for the arguments of a call. One argument stays one
/// argument, whatever is in it; there is no shell.
class ArgumentTemplate {
 public:
  /// Errors: invalid_request, step "tool": a brace without its partner.
  [[nodiscard]] static Result<ArgumentTemplate> parse(const std::vector<std::string>& args);

  /// The names between braces.
  [[nodiscard]] std::set<std::string> names() const;

  /// `arguments` is an object that fits the tool's schema.
  ///
  /// A text is put in as it is, anything else as JSON. An argument that is nothing but {name} becomes one for
  /// each item of an array. One that names what the call does not have is left out. A text at the start of an
  /// argument must not begin with '-', which the program would take for an option, unless the template has a
  /// "--" before it. Errors: invalid_request, step "arguments".
  [[nodiscard]] Result<std::vector<std::string>> fill(const io::JsonValue& arguments) const;

 private:
  struct Piece {
    std::string text;  ///< or the name
    bool is_name = false;
  };
  using Pieces = std::vector<Piece>;

  [[nodiscard]] static Result<Pieces> pieces_of(const std::string& text);
  [[nodiscard]] static Result<void> append(const Pieces& pieces, const io::JsonValue& arguments,
                                           bool options_ended, std::vector<std::string>& filled);

  std::vector<Pieces> args_;
};

}  // namespace prx::tools
