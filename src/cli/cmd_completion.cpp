#include <array>

#include <CLI/CLI.hpp>

#include "cli/command.hpp"
#include "cli/completion.hpp"
#include "cli/failure.hpp"
#include "cli/text_out.hpp"

namespace prx::cli {
namespace {

constexpr std::array<std::string_view, 1> kSynopsis{"bash|zsh|fish"};
constexpr std::array<std::string_view, 1> kDescription{
    "Prints a script that teaches the shell the commands and options of this prx."};
constexpr std::array<Term, 3> kExamples{{
    {"source <(prx completion bash)", "in ~/.bashrc"},
    {"source <(prx completion zsh)", "in ~/.zshrc, after compinit"},
    {"prx completion fish | source", "in ~/.config/fish/config.fish"},
}};

class CompletionCommand final : public Command {
 public:
  void declare_options(CLI::App& app) override {
    app.add_option("SHELL", shell_, "whose completion")->type_name("bash|zsh|fish")->group("Operands");
  }

  int run(Operands operands) override {
    if (operands.words.empty() && shell_ == "bash") return print_result(bash_completion());
    if (operands.words.empty() && shell_ == "zsh") return print_result(zsh_completion());
    if (operands.words.empty() && shell_ == "fish") return print_result(fish_completion());
    return report_failure(usage_error("completion " + shell_, "needs the name of a shell that prx knows",
                                      "prx completion bash, zsh or fish"),
                          false);
  }

 private:
  std::string shell_;
};

}  // namespace

const CommandInfo kCompletionInfo{.name = "completion",
                                  .summary = "completion scripts for bash, zsh and fish",
                                  .synopsis = kSynopsis,
                                  .description = kDescription,
                                  .sections = {},
                                  .examples = kExamples};

std::unique_ptr<Command> make_completion_command() {
  return std::make_unique<CompletionCommand>();
}

}  // namespace prx::cli
