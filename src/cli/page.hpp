#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace prx::cli {

/// One option (or operand) as it was declared: what help, man pages and completions say about it.
struct OptionDoc {
  std::vector<std::string> names;  ///< "-w", "--workdir"; for an operand its name
  std::string value;               ///< "DIR"; "bash|zsh|fish" for a choice; empty for a flag
  std::string text;
  std::string group;
  bool operand = false;

  /// The words of a choice, empty where any value is possible.
  [[nodiscard]] std::vector<std::string> choices() const;
};

/// A command with its options: the one source of --help, the man page and the completions.
struct Page {
  const CommandInfo* info = nullptr;
  std::string title;  ///< "prx run", "prx-sh"
  std::vector<OptionDoc> options;
};

[[nodiscard]] std::string title_of(const CommandInfo& info);
[[nodiscard]] Page page_of(const CommandInfo& info, CLI::App& app);
/// Of a command that has not been asked for its options yet.
[[nodiscard]] Page page_of(const CommandEntry& entry);
/// `prx` itself: its commands are the terms of a section.
[[nodiscard]] Page top_level_page();

enum class HelpStyle { plain, terminal };
/// What --help prints: 80 columns.
[[nodiscard]] std::string help_text(const Page& page, HelpStyle style);
/// terminal when stdout is one that shows attributes.
[[nodiscard]] HelpStyle style_of_stdout();

/// The same as a manual page in man(7) macros.
[[nodiscard]] std::string man_page(const Page& page);

/// `text` in lines of at most `width` columns, each but the first behind `indent` blanks.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t indent, std::size_t width);

/// The options' titles in the order of their first option.
[[nodiscard]] std::vector<std::string> groups_of(const Page& page);

}  // namespace prx::cli
