#include "tools/argument_template.hpp"

#include <utility>

#include "base/printable.hpp"
#include "base/try.hpp"

namespace prx::tools {
namespace {

Error brace_error(const std::string& text) {
  return {ErrorKind::invalid_request,
          "tool",
          base::printable(text),
          0,
          "has a brace without its partner",
          "write {name} for an argument of the call, {{ and }} for braces"};
}

std::string as_argument(const io::JsonValue& value) {
  return value.is_text() ? value.text() : value.json();
}

/// A number may begin with '-': no program has such options.
Result<void> check_start(const std::string& name, const io::JsonValue& value, bool options_ended) {
  if (options_ended || !value.is_text() || !value.text().starts_with('-')) return {};
  return Error{ErrorKind::invalid_request,
               "arguments",
               "/" + name,
               0,
               "begins with '-', which the program would take for an option",
               "write it so that it begins otherwise: a file as ./-name"};
}

}  // namespace

Result<ArgumentTemplate::Pieces> ArgumentTemplate::pieces_of(const std::string& text) {
  Pieces pieces{{}};
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    const bool is_double = at + 1 < text.size() && text[at + 1] == c;
    if (c == '}' && !is_double) return brace_error(text);
    if (c != '{' && c != '}') {
      pieces.back().text += c;
    } else if (is_double) {
      pieces.back().text += c;
      ++at;
    } else {
      const auto end = text.find('}', at);
      if (end == std::string::npos || end == at + 1) return brace_error(text);
      pieces.push_back({text.substr(at + 1, end - at - 1), true});
      pieces.emplace_back();
      at = end;
    }
  }
  std::erase_if(pieces, [](const Piece& piece) { return piece.text.empty(); });
  return pieces;
}

Result<ArgumentTemplate> ArgumentTemplate::parse(const std::vector<std::string>& args) {
  ArgumentTemplate parsed;
  for (const auto& arg : args) {
    PRX_TRY(auto pieces, pieces_of(arg));
    parsed.args_.push_back(std::move(pieces));
  }
  return parsed;
}

std::set<std::string> ArgumentTemplate::names() const {
  std::set<std::string> names;
  for (const auto& pieces : args_) {
    for (const auto& piece : pieces) {
      if (piece.is_name) names.insert(piece.text);
    }
  }
  return names;
}

Result<void> ArgumentTemplate::append(const Pieces& pieces, const io::JsonValue& arguments,
                                      bool options_ended, std::vector<std::string>& filled) {
  if (pieces.size() == 1 && pieces.front().is_name) {
    const auto value = arguments[pieces.front().text];
    const auto items = value.is_array() ? value.items() : std::vector{value};
    for (const auto& item : items) {
      if (item.is_null()) continue;
      PRX_CHECK(check_start(pieces.front().text, item, options_ended));
      filled.push_back(as_argument(item));
    }
    return {};
  }
  std::string text;
  for (const auto& piece : pieces) {
    if (!piece.is_name) {
      text += piece.text;
      continue;
    }
    const auto value = arguments[piece.text];
    if (value.is_null()) return {};
    if (text.empty()) PRX_CHECK(check_start(piece.text, value, options_ended));
    text += as_argument(value);
  }
  filled.push_back(std::move(text));
  return {};
}

Result<std::vector<std::string>> ArgumentTemplate::fill(const io::JsonValue& arguments) const {
  std::vector<std::string> filled;
  bool options_ended = false;
  for (const auto& pieces : args_) {
    PRX_CHECK(append(pieces, arguments, options_ended, filled));
    if (pieces.size() == 1 && !pieces.front().is_name && pieces.front().text == "--") options_ended = true;
  }
  return filled;
}

}  // namespace prx::tools
