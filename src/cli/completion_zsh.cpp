#include <fmt/format.h>

#include "cli/completion.hpp"
#include "cli/page.hpp"

namespace prx::cli {
namespace {

/// Text inside a single-quoted _arguments specification: its own marks are brackets and colons.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '\'') {
      result += R"('\'')";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') result += '\\';
    result += c;
  }
  return result;
}

std::string value_action(const OptionDoc& option) {
  if (option.value == "DIR") return "_files -/";
  if (option.value.starts_with("FILE")) return "_files";
  std::string words;
  for (const auto& choice : option.choices()) words += (words.empty() ? "" : " ") + choice;
  return words.empty() ? "" : "(" + words + ")";
}

std::string specification(const OptionDoc& option) {
  const std::string value =
      option.value.empty() ? "" : fmt::format(":{}:{}", escaped(option.value), value_action(option));
  if (option.operand) return fmt::format("        '1{}' \\\n", value);
  std::string text;
  for (const auto& name : option.names) {
    // A long option takes its value behind '=' or as the next word, a short one only as the next.
    const std::string_view equals = name.starts_with("--") && !option.value.empty() ? "=" : "";
    text += fmt::format("        '*{}{}[{}]{}' \\\n", name, equals, escaped(option.text), value);
  }
  return text;
}

std::string command_case(const Page& page) {
  std::string text = fmt::format("    {})\n      _arguments -s -S \\\n", page.info->name);
  for (const auto& option : page.options) text += specification(option);
  if (page.info->runs_programs) {
    text += "        '(-)1:program:_command_names -e' \\\n        '*::argument:_normal'\n";
  } else {
    text += "        && return\n";
  }
  return text + "      ;;\n";
}

}  // namespace

std::string zsh_completion() {
  std::string commands;
  std::string cases;
  for (const auto& entry : all_commands()) {
    commands += fmt::format("    '{}:{}'\n", entry.info->name, escaped(entry.info->summary));
    cases += command_case(page_of(entry));
  }
  return fmt::format(R"(#compdef prx
# zsh completion for prx; load it with: source <(prx completion zsh)
_prx() {{
  local -a commands
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe -t commands 'prx command' commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
{}  esac
}}
if [[ ${{funcstack[1]}} == _prx ]]; then _prx "$@"; else compdef _prx prx; fi
)",
                     commands, cases);
}

}  // namespace prx::cli
