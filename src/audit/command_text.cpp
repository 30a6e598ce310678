#include "audit/command_text.hpp"

#include <string_view>

#include "base/overloaded.hpp"
#include "base/utf8.hpp"

namespace prx::audit {
namespace {

constexpr std::size_t kMaxText = 4096;

std::string as_word(const std::string& word) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::string program_text(const Program& program) {
  std::string text = as_word(program.file);
  for (const auto& arg : program.args) {
    text += " " + as_word(arg);
    if (text.size() > kMaxText) break;
  }
  return text;
}

}  // namespace

std::string command_text(const Command& command) {
  std::string text = std::visit(base::Overloaded{
                                    [](const ShellLine& line) { return line.text; },
                                    [](const Program& program) { return program_text(program); },
                                },
                                command);
  if (text.size() <= kMaxText) return base::to_utf8_lossy(text);
  text.resize(kMaxText);
  text.resize(text.size() - base::incomplete_suffix(text));
  return base::to_utf8_lossy(text) + "…";
}

}  // namespace prx::audit
