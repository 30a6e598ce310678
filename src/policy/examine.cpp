#include "policy/examine.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/overloaded.hpp"
#include "policy/launchers.hpp"
#include "policy/wrappers.hpp"

namespace prx::policy {
namespace {

constexpr int kMaxNesting = 16;

class Examiner {
 public:
  void line(std::string_view text, int depth) {
    if (depth > kMaxNesting) return unseen("it is nested too deep");
    auto reading = read_shell_line(text);
    for (auto& reason : reading.unseen) unseen(std::move(reason));
    for (auto& words : reading.commands) command(std::move(words), depth);
  }

  void command(WordList words, int depth) {
    if (depth > kMaxNesting) return unseen("it is nested too deep");
    if (auto through = unwrap(words)) {
      if (!through->unseen.empty()) unseen(std::move(through->unseen));
      if (!through->line.empty()) line(through->line, depth + 1);
      if (!through->inner.empty()) command(std::move(through->inner), depth + 1);
    } else if (!words.empty() && words.front() && program_name(*words.front()) == "find") {
      find_actions(words, depth);
    }
    // The wrapper itself, too: a rule may be about sudo.
    std::string why = unwrap(words) ? std::string() : launches(words);
    result_.commands.push_back({std::move(words), std::move(why)});
  }

  [[nodiscard]] Examination take() { return std::move(result_); }

 private:
  void unseen(std::string reason) { result_.unseen.push_back(std::move(reason)); }

  /// `find … -exec PROGRAM … ;`
  void find_actions(const WordList& words, int depth) {
    constexpr std::array<std::string_view, 4> kActions{"-exec", "-execdir", "-ok", "-okdir"};
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (!words[i] || std::find(kActions.begin(), kActions.end(), *words[i]) == kActions.end()) continue;
      WordList inner;
      for (++i; i < words.size() && words[i] != ";" && words[i] != "+"; ++i) {
        // find puts a name there.
        inner.push_back(words[i] && words[i]->find("{}") != std::string::npos ? ShellWord() : words[i]);
      }
      if (!inner.empty()) command(std::move(inner), depth + 1);
    }
  }

  Examination result_;
};

bool is_read(std::string_view shell) {
  constexpr std::array<std::string_view, 5> kShells{"sh", "bash", "dash", "ash", "ksh"};
  return shell.empty() || std::find(kShells.begin(), kShells.end(), program_name(shell)) != kShells.end();
}

/// Options that change nothing about which commands a line has.
bool is_harmless(const std::string& option) {
  return option.find_first_not_of("euxvfno", option.starts_with('-') || option.starts_with('+') ? 1 : 0) ==
             std::string::npos ||
         option == "pipefail";
}

}  // namespace

Examination examine(const Command& command, std::string_view shell) {
  Examiner examiner;
  Examination result;
  std::visit(base::Overloaded{
                 [&](const ShellLine& line) {
                   examiner.line(line.text, 0);
                   result = examiner.take();
                   if (!is_read(shell))
                     result.unseen.push_back("its shell is not one of those that are read");
                   const auto& options = line.options;
                   if (!std::all_of(options.begin(), options.end(), is_harmless)) {
                     result.unseen.push_back("its shell has options that are not read");
                   }
                 },
                 [&](const Program& program) {
                   WordList words{program.file};
                   words.insert(words.end(), program.args.begin(), program.args.end());
                   examiner.command(std::move(words), 0);
                   result = examiner.take();
                 },
             },
             command);
  return result;
}

}  // namespace prx::policy
