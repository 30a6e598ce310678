#include "cli/parse.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

#include "cli/text_out.hpp"
#include "config/suggest.hpp"

namespace prx::cli {
namespace {

std::string see_help(std::string_view command) {
  return "see: " + std::string(command) + " --help";
}

std::vector<std::string> option_names(CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const auto& name : option->get_lnames()) names.push_back("--" + name);
    for (const auto& name : option->get_snames()) names.push_back("-" + name);
  }
  return names;
}

Error unknown_option(CLI::App& app, std::string_view command, const std::string& word) {
  const std::string name = word.substr(0, word.find('='));
  const auto names = option_names(app);
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const auto guess = config::nearest(name, candidates);
  return usage_error(name, "there is no such option",
                     guess ? "did you mean " + std::string(*guess) + "?" : see_help(command));
}

/// CLI11 sorts unknown options and operands into one list, with the `--` that ends the options.
Result<std::vector<std::string>> operands_of(CLI::App& app, std::string_view command) {
  std::vector<std::string> words = app.remaining();
  if (words.empty()) return words;
  if (words.front() == "--") {
    words.erase(words.begin());
  } else if (words.front().size() > 1 && words.front().front() == '-') {
    return unknown_option(app, command, words.front());
  }
  return words;
}

}  // namespace

Result<std::vector<std::string>> parse_options(CLI::App& app, std::string_view command,
                                               std::span<char* const> args) {
  std::vector<std::string> reversed(args.rbegin(), args.rend());
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ArgumentMismatch& error) {  // "NAME: 1 required VALUE missing"
    const std::string text = error.what();
    return usage_error(text.substr(0, text.find(':')), "needs a value", see_help(command));
  } catch (const CLI::Error& error) {  // the one place where CLI11's exceptions end
    std::string text = error.what();
    std::replace(text.begin(), text.end(), '\n', ' ');
    return usage_error(std::string(command), std::move(text), see_help(command));
  }
  return operands_of(app, command);
}

void add_plain_flag(CLI::App& app, const std::string& names, const std::string& what,
                    const std::string& group) {
  app.add_flag(names, what)->group(group);
}

bool was_given(CLI::App& app, const std::string& flag) {
  const CLI::Option* option = app.get_option_no_throw(flag);
  return option != nullptr && option->count() > 0;
}

}  // namespace prx::cli
