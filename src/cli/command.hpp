#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace prx::cli {

/// The exit status of everything that prx itself could not do.
inline constexpr int kPrxFailed = 125;

struct Term {
  std::string_view term;
  std::string_view text;
};

struct TermSection {
  std::string_view title;
  std::span<const Term> terms;
};

/// What there is to say about a command besides its options: --help and the man page are made from it.
struct CommandInfo {
  std::string_view name;  ///< "run"; "prx-sh" for a program of its own
  std::string_view summary;
  std::span<const std::string_view> synopsis;     ///< what follows the name, one form each
  std::span<const std::string_view> description;  ///< paragraphs
  std::span<const TermSection> sections;
  std::span<const Term> examples;  ///< a command line, and what it does
  /// Whether a command to run follows the options: completions then offer programs and files.
  bool runs_programs = false;
  /// Whether the command reads its options itself: the rules of its words are not those of prx.
  bool own_rules = false;
};

/// What stood on the command line behind the options.
struct Operands {
  std::vector<std::string> words;
  bool json = false;  ///< --json was given: failures are objects too
};

/// One command of prx: made, asked for its options, then run once.
class Command {
 public:
  virtual ~Command() = default;
  virtual void declare_options(CLI::App& app) = 0;
  /// Returns the exit status.
  virtual int run(Operands operands) = 0;
};

struct CommandEntry {
  const CommandInfo* info;
  std::unique_ptr<Command> (*make)();
};

/// All commands, in the order in which help lists them.
[[nodiscard]] std::span<const CommandEntry> all_commands() noexcept;
[[nodiscard]] const CommandEntry* find_command(std::string_view name) noexcept;
/// `prx` itself and `prx-sh`: pages without being commands.
[[nodiscard]] const CommandInfo& top_level_info() noexcept;
[[nodiscard]] const CommandEntry& shell_entry() noexcept;

/// Parses the options of `entry` from `args` (without its name) and runs it, or prints its help.
[[nodiscard]] int run_command(const CommandEntry& entry, std::span<char* const> args);

[[nodiscard]] std::unique_ptr<Command> make_run_command();
[[nodiscard]] std::unique_ptr<Command> make_explain_command();
[[nodiscard]] std::unique_ptr<Command> make_why_command();
[[nodiscard]] std::unique_ptr<Command> make_tool_command();
[[nodiscard]] std::unique_ptr<Command> make_doctor_command();
[[nodiscard]] std::unique_ptr<Command> make_config_command();
[[nodiscard]] std::unique_ptr<Command> make_wasm_command();
[[nodiscard]] std::unique_ptr<Command> make_completion_command();
[[nodiscard]] std::unique_ptr<Command> make_shell_command();

extern const CommandInfo kRunInfo;
extern const CommandInfo kExplainInfo;
extern const CommandInfo kWhyInfo;
extern const CommandInfo kToolInfo;
extern const CommandInfo kDoctorInfo;
extern const CommandInfo kConfigInfo;
extern const CommandInfo kWasmInfo;
extern const CommandInfo kCompletionInfo;
extern const CommandInfo kShellInfo;

}  // namespace prx::cli
