#include <fmt/format.h>

#include "cli/completion.hpp"
#include "cli/page.hpp"

namespace prx::cli {
namespace {

std::string joined(const std::vector<std::string>& words, std::string_view separator) {
  std::string text;
  for (const auto& word : words) {
    if (!text.empty()) text += separator;
    text += word;
  }
  return text;
}

/// How bash finds values of this kind; empty where it cannot.
std::string value_source(const OptionDoc& option) {
  if (option.value == "DIR") return "-d";
  if (option.value.starts_with("FILE")) return "-f";
  const auto choices = option.choices();
  return choices.empty() ? "" : "-W '" + joined(choices, " ") + "'";
}

/// Of an option with a value: what may follow it. A value that bash cannot guess completes to nothing.
std::string value_case(const OptionDoc& option) {
  const std::string source = value_source(option);
  std::string action = "return";
  if (!source.empty()) action = fmt::format("COMPREPLY=($(compgen {} -- \"$cur\")); return", source);
  return fmt::format("        {}) {} ;;\n", joined(option.names, "|"), action);
}

/// What stands where no option does: programs, the words of a choice, or nothing.
std::string operand_source(const Page& page) {
  if (page.info->runs_programs) return "compgen -c -f -- \"$cur\"";
  for (const auto& option : page.options) {
    if (option.operand) return fmt::format("compgen -W '{}' -- \"$cur\"", joined(option.choices(), " "));
  }
  return "true";
}

std::string command_case(const Page& page) {
  std::vector<std::string> names;
  std::string values;
  for (const auto& option : page.options) {
    if (option.operand) continue;
    names.insert(names.end(), option.names.begin(), option.names.end());
    if (!option.value.empty()) values += value_case(option);
  }
  std::string text = fmt::format("    {})\n", page.info->name);
  if (!values.empty()) text += "      case $prev in\n" + values + "      esac\n";
  text += fmt::format("      if [[ $cur == -* ]]; then words=$(compgen -W '{}' -- \"$cur\")\n",
                      joined(names, " "));
  text += fmt::format("      else words=$({}); fi ;;\n", operand_source(page));
  return text;
}

}  // namespace

std::string bash_completion() {
  std::string commands;
  std::string cases;
  for (const auto& entry : all_commands()) {
    commands += std::string(entry.info->name) + " ";
    cases += command_case(page_of(entry));
  }
  return fmt::format(R"(# bash completion for prx; load it with: source <(prx completion bash)
_prx() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} words=
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    COMPREPLY=($(compgen -W '{}--help --version' -- "$cur"))
    return
  fi
  case ${{COMP_WORDS[1]}} in
{}  esac
  local IFS=$'\n'
  COMPREPLY=($words)
}}
complete -F _prx prx
)",
                     commands, cases);
}

}  // namespace prx::cli
