#include <fmt/format.h>

#include "cli/completion.hpp"
#include "cli/page.hpp"

namespace prx::cli {
namespace {

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

std::string value_flags(const OptionDoc& option) {
  if (option.value.empty()) return "";
  if (option.value == "DIR") return " -x -a '(__fish_complete_directories)'";
  if (option.value.starts_with("FILE")) return " -r -F";
  std::string words;
  for (const auto& choice : option.choices()) words += (words.empty() ? "" : " ") + choice;
  return words.empty() ? " -x" : " -x -a " + quoted(words);
}

std::string option_line(std::string_view condition, const OptionDoc& option) {
  std::string line = fmt::format("complete -c prx -n {}", quoted(condition));
  if (option.operand) return line + fmt::format("{} -d {}\n", value_flags(option), quoted(option.text));
  for (const auto& name : option.names) {
    const bool is_long = name.starts_with("--");
    line += fmt::format(" {} {}", is_long ? "-l" : "-s", std::string_view(name).substr(is_long ? 2 : 1));
  }
  return line + fmt::format("{} -d {}\n", value_flags(option), quoted(option.text));
}

std::string command_lines(const Page& page) {
  const std::string condition = fmt::format("__fish_seen_subcommand_from {}", page.info->name);
  std::string text = fmt::format("complete -c prx -n __fish_use_subcommand -f -a {} -d {}\n", page.info->name,
                                 quoted(page.info->summary));
  for (const auto& option : page.options) text += option_line(condition, option);
  if (page.info->runs_programs) {
    text += fmt::format("complete -c prx -n {} -a '(__fish_complete_subcommand)'\n", quoted(condition));
  }
  return text;
}

}  // namespace

std::string fish_completion() {
  std::string text = "# fish completion for prx; load it with: prx completion fish | source\n";
  text += "complete -c prx -n __fish_use_subcommand -f\n";
  for (const auto& entry : all_commands()) text += command_lines(page_of(entry));
  return text;
}

}  // namespace prx::cli
