#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "cli/prx_program.hpp"
#include "support/artefacts.hpp"
#include "support/not_proven.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

const std::vector<std::string> kCommands{"run", "explain", "why", "doctor", "config", "wasm", "completion"};
const std::vector<std::string> kManPages{"prx",        "prx-run",  "prx-explain",    "prx-why", "prx-doctor",
                                         "prx-config", "prx-wasm", "prx-completion", "prx-sh"};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

bool is_installed(const std::string& program) {
  return run_line("command -v " + program).exit_code == 0;
}

/// Every "-x" and "--xyz" that stands where an option is declared: at the start of a line of --help.
std::set<std::string> options_of(const std::string& help) {
  std::set<std::string> options;
  for (std::size_t line = 0; line < help.size();) {
    const std::size_t end = std::min(help.find('\n', line), help.size());
    std::string term = help.substr(line, end - line).substr(0, 40);
    line = end + 1;
    if (term.find_first_not_of(' ') == std::string::npos || term[term.find_first_not_of(' ')] != '-')
      continue;
    for (std::size_t at = term.find('-'); at != std::string::npos && at < 24; at = term.find(" -", at)) {
      at = term.find('-', at);
      std::size_t stop = at;
      while (stop < term.size() &&
             (term[stop] == '-' || std::isalpha(static_cast<unsigned char>(term[stop])) != 0))
        ++stop;
      options.insert(term.substr(at, stop - at));
      at = stop;
    }
  }
  return options;
}

TEST(CliHelp, EveryCommandExplainsItself) {
  const auto top = run_prx({"--help"});
  EXPECT_EQ(top.exit_code, 0);
  for (const auto& command : kCommands) {
    EXPECT_TRUE(has(top.out, "\n  " + command + " ")) << command;
    const auto help = run_prx({command, "--help"});
    EXPECT_EQ(help.exit_code, 0);
    EXPECT_TRUE(help.out.starts_with("prx " + command + " - ")) << help.out;
    for (const std::string section : {"\nUsage:\n", "\nExamples:\n"})
      EXPECT_TRUE(has(help.out, section)) << command;
    EXPECT_EQ(run_prx({"help", command}).out, help.out);
  }
  EXPECT_EQ(run_prx({"help"}).out, top.out);
  EXPECT_EQ(run_prx({"help", "nothing"}).exit_code, 125);
  EXPECT_TRUE(has(run_prx({"help", "prx-sh"}).out, "prx-sh [options] -c LINE [NAME [ARG...]]"));
}

TEST(CliHelp, FitsIntoEightyColumns) {
  for (const auto& command : kCommands) {
    const std::string help = run_prx({command, "--help"}).out;
    for (std::size_t begin = 0; begin < help.size();) {
      const std::size_t end = help.find('\n', begin);
      EXPECT_LE(end - begin, 80U) << help.substr(begin, end - begin);
      begin = end + 1;
    }
  }
}

TEST(CliHelp, EveryOptionIsInTheReference) {
  const std::string reference = read_file(source_path("docs/cli.md"));
  std::size_t seen = 0;
  for (const auto& command : kCommands) {
    for (const auto& option : options_of(run_prx({command, "--help"}).out)) {
      EXPECT_TRUE(has(reference, "`" + option + "`") || has(reference, "`" + option + " "))
          << command << " " << option;
      ++seen;
    }
  }
  EXPECT_GT(seen, 30U) << "the options were not found in the help";
}

TEST(CliHelp, EveryMemberOfTheObjectIsInTheReference) {
  const std::string reference = read_file(source_path("docs/cli.md"));
  const std::string object = run_prx({"run", "--json", "--", "true"}).out;
  std::size_t seen = 0;
  for (std::size_t at = object.find("\":"); at != std::string::npos; at = object.find("\":", at + 1)) {
    const std::size_t begin = object.rfind('"', at - 1) + 1;
    EXPECT_TRUE(has(reference, "`" + object.substr(begin, at - begin) + "`"))
        << object.substr(begin, at - begin);
    ++seen;
  }
  EXPECT_GT(seen, 25U);
}

TEST(CliMan, EveryPageRendersWithoutWarnings) {
  if (!is_installed("groff")) return not_proven("cli.man_pages", "groff is not installed");
  const TempDir folder;
  for (const auto& page : kManPages) {
    const std::string file = prx_path() + "/../man/" + page + ".1";
    const auto result = run_program({"/usr/bin/groff", "-man", "-Tutf8", "-ww", "-z",
                                     prx_path().substr(0, prx_path().rfind('/')) + "/man/" + page + ".1"});
    EXPECT_EQ(result.exit_code, 0) << page;
    EXPECT_EQ(result.err, "") << page;
  }
  const std::string broken = folder.write("broken.1", ".TH A 1\n.nosuchmacro\n");
  EXPECT_NE(run_program({"/usr/bin/groff", "-man", "-Tutf8", "-ww", "-z", broken}).err, "")
      << "warnings are seen";
}

TEST(CliMan, HasWhatHelpHas) {
  const std::string page = read_file(prx_path().substr(0, prx_path().rfind('/')) + "/man/prx-run.1");
  for (const std::string part :
       {"\\-\\-timeout", "\\-\\-report", ".SH \"EXIT STATUS\"", ".SH \"EXAMPLES\""}) {
    EXPECT_TRUE(has(page, part)) << part;
  }
}

/// What bash offers behind `words`, the last of which is being typed.
std::string bash_offers(const std::vector<std::string>& words) {
  std::string array;
  for (const auto& word : words) array += "'" + word + "' ";
  return run_program(
             {"/bin/bash", "-c",
              "source <(" + prx_path() + " completion bash) || exit 1; COMP_WORDS=(" + array +
                  "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _prx; printf '%s\\n' \"${COMPREPLY[@]}\""})
      .out;
}

TEST(CliCompletion, BashOffersCommandsOptionsAndValues) {
  EXPECT_EQ(bash_offers({"prx", "do"}), "doctor\n");
  EXPECT_EQ(bash_offers({"prx", "run", "--time"}), "--timeout\n");
  EXPECT_EQ(bash_offers({"prx", "config", "sh"}), "show\n");
  EXPECT_EQ(bash_offers({"prx", "completion", "f"}), "fish\n");
  EXPECT_TRUE(has(bash_offers({"prx", "run", "-w", "/us"}), "/usr\n"));
  EXPECT_TRUE(has(bash_offers({"prx", "run", "bas"}), "bash\n"));
}

TEST(CliCompletion, ZshLoads) {
  if (!is_installed("zsh")) return not_proven("cli.zsh_completion", "zsh is not installed");
  const auto result = run_line(
      "zsh -fc 'autoload -U compinit && compinit -D && source <($PRX completion zsh) && whence -w _prx'");
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(has(result.out, "_prx: function"));
}

TEST(CliCompletion, FishLoads) {
  if (!is_installed("fish")) return not_proven("cli.fish_completion", "fish is not installed");
  const TempDir home;
  const auto result = run_line("HOME=" + home.path() +
                               " fish -c '$PRX completion fish | source; complete -C \"prx run --time\"'");
  EXPECT_EQ(result.err, "");
  EXPECT_TRUE(has(result.out, "--timeout")) << result.out;
}

TEST(CliCompletion, NeedsAShellThatItKnows) {
  EXPECT_EQ(run_prx({"completion"}).exit_code, 125);
  EXPECT_EQ(run_prx({"completion", "csh"}).exit_code, 125);
  EXPECT_EQ(run_prx({"completion", "bash"}).exit_code, 0);
}

}  // namespace
}  // namespace prx::test
