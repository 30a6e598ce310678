#include "cli/top_level.hpp"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include <prx/version.hpp>

#include "cli/command.hpp"
#include "cli/failure.hpp"
#include "cli/page.hpp"
#include "cli/parse.hpp"
#include "cli/text_out.hpp"
#include "config/suggest.hpp"

namespace prx::cli {
namespace {

constexpr std::array<CommandEntry, 8> kCommands{{
    {&kRunInfo, make_run_command},
    {&kExplainInfo, make_explain_command},
    {&kWhyInfo, make_why_command},
    {&kToolInfo, make_tool_command},
    {&kDoctorInfo, make_doctor_command},
    {&kConfigInfo, make_config_command},
    {&kWasmInfo, make_wasm_command},
    {&kCompletionInfo, make_completion_command},
}};
constexpr CommandEntry kShellEntry{&kShellInfo, make_shell_command};

constexpr std::array<std::string_view, 2> kSynopsis{"COMMAND [options]", "--help | --version"};
constexpr std::array<std::string_view, 1> kDescription{
    "Runs what an agent wants run: a shell line or a program, with only the environment it is meant to "
    "see, within a time limit, its whole process tree accounted for and ended, and an exact report of "
    "what happened."};
constexpr std::array<Term, 6> kExitStatus{{
    {"0-255", "the command's own exit status"},
    {"124", "the command ran out of time"},
    {"125", "prx could not set it up, or was called wrongly"},
    {"126", "the program exists and cannot be executed"},
    {"127", "the program does not exist"},
    {"128+n", "signal n ended the command (130: Ctrl-C)"},
}};
constexpr std::array<Term, 3> kEnvironment{{
    {"PRX_CONFIG", "the configuration file, where --config is not given"},
    {"PRX_SECTION__KEY", "sets one key of it: PRX_RUNTIME__BACKEND=native"},
    {"NO_COLOR", "no bold headings in help"},
}};
constexpr std::array<Term, 3> kExamples{{
    {"prx run -- ls -la", "run a program"},
    {"prx run -c 'du -sh * | sort -h'", "run a shell line"},
    {"prx doctor", "see what works on this machine, and what to do about the rest"},
}};

/// What every command has besides its own options.
void declare_all(CLI::App& app, Command& command) {
  app.set_help_flag();
  app.prefix_command();
  command.declare_options(app);
  add_plain_flag(app, "-h,--help", "this text", "General");
}

std::vector<Term> command_terms() {
  std::vector<Term> terms;
  for (const auto& entry : all_commands()) terms.push_back({entry.info->name, entry.info->summary});
  return terms;
}

/// The sections of `prx` with the list of commands, which is no constant: each command has its own file.
std::span<const TermSection> top_level_sections() {
  static const std::vector<Term> kCommandTerms = command_terms();
  static const std::array<TermSection, 3> kSections{{
      {"Commands", kCommandTerms},
      {"Exit status", kExitStatus},
      {"Environment", kEnvironment},
  }};
  return kSections;
}

Error unknown_command(std::string_view word) {
  std::vector<std::string_view> names;
  names.reserve(std::size(kCommands));
  for (const auto& entry : kCommands) names.push_back(entry.info->name);
  const auto guess = config::nearest(word, names);
  std::string hint =
      guess ? "did you mean prx " + std::string(*guess) + "?" : "to run it: prx run -- " + shell_quoted(word);
  return usage_error(std::string(word), "prx has no such command", std::move(hint));
}

int help_for(std::span<char* const> args) {
  const std::string_view name = args.empty() ? "prx" : args.front();
  if (name == "prx") return print_result(help_text(top_level_page(), style_of_stdout()));
  const auto* entry = name == kShellInfo.name ? &kShellEntry : find_command(name);
  if (entry == nullptr) return report_failure(unknown_command(name), false);
  return print_result(help_text(page_of(*entry), style_of_stdout()));
}

}  // namespace

std::span<const CommandEntry> all_commands() noexcept {
  return kCommands;
}

const CommandEntry* find_command(std::string_view name) noexcept {
  for (const auto& entry : kCommands) {
    if (entry.info->name == name) return &entry;
  }
  return nullptr;
}

const CommandEntry& shell_entry() noexcept {
  return kShellEntry;
}

const CommandInfo& top_level_info() noexcept {
  static const CommandInfo kInfo{.name = "prx",
                                 .summary = "the execution layer for AI agents",
                                 .synopsis = kSynopsis,
                                 .description = kDescription,
                                 .sections = top_level_sections(),
                                 .examples = kExamples};
  return kInfo;
}

Page top_level_page() {
  Page page{.info = &top_level_info(), .title = "prx", .options = {}};
  page.options.push_back({{"-h", "--help"}, "", "this text; prx COMMAND --help tells more", "Options"});
  page.options.push_back({{"--version"}, "", "the version of prx", "Options"});
  return page;
}

Page page_of(const CommandEntry& entry) {
  CLI::App app;
  const auto command = entry.make();
  declare_all(app, *command);
  return page_of(*entry.info, app);
}

int run_command(const CommandEntry& entry, std::span<char* const> args) {
  const auto command = entry.make();
  if (entry.info->own_rules) return command->run({.words = {args.begin(), args.end()}, .json = false});
  CLI::App app;
  declare_all(app, *command);
  auto words = parse_options(app, title_of(*entry.info), args);
  const bool json = was_given(app, "--json");
  if (was_given(app, "--help")) {
    return print_result(help_text(page_of(*entry.info, app), style_of_stdout()));
  }
  if (!words) return report_failure(words.error(), json);
  return command->run({.words = std::move(words).value(), .json = json});
}

int run_top_level(std::span<char* const> args) {
  const std::string_view first = args.empty() ? "" : args.front();
  if (first == "--version") return print_result("prx " + std::string(version()) + "\n");
  if (first == "--help" || first == "-h") {
    return print_result(help_text(top_level_page(), style_of_stdout()));
  }
  if (first.empty()) {
    return report_failure(usage_error("prx", "no command given", "see: prx --help"), false);
  }
  if (first == "help") return help_for(args.subspan(1));
  if (const auto* entry = find_command(first)) return run_command(*entry, args.subspan(1));
  return report_failure(unknown_command(first), false);
}

}  // namespace prx::cli
