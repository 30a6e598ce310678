#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "cli/page.hpp"

namespace prx::cli {
namespace {

constexpr std::size_t kWidth = 80;
constexpr std::size_t kIndent = 2;
constexpr std::size_t kTermColumn = 24;  // where the texts of options and terms begin

std::string heading(std::string_view text, HelpStyle style) {
  const std::string title(text);
  return style == HelpStyle::terminal ? "\n\033[1m" + title + "\033[0m\n" : "\n" + title + "\n";
}

/// A term and its text side by side, or the text below where the term is too long.
std::string term_line(std::string_view term, std::string_view text) {
  std::string line = std::string(kIndent, ' ') + std::string(term);
  if (line.size() + 2 > kTermColumn) {
    line += "\n" + std::string(kTermColumn, ' ');
  } else {
    line.resize(kTermColumn, ' ');
  }
  return line + wrapped(text, kTermColumn, kWidth) + "\n";
}

std::string option_term(const OptionDoc& option) {
  std::string term;
  for (const auto& name : option.names) term += (term.empty() ? "" : ", ") + name;
  // Long options line up, with or without a short one before them.
  if (!option.operand && option.names.front().starts_with("--")) term.insert(0, 4, ' ');
  if (!option.operand && !option.value.empty()) term += " " + option.value;
  return term;
}

std::string usage_text(const Page& page, HelpStyle style) {
  std::string text = heading("Usage:", style);
  for (const auto form : page.info->synopsis) {
    text += std::string(kIndent, ' ') + page.title + (form.empty() ? "" : " ") + std::string(form) + "\n";
  }
  return text;
}

std::string options_text(const Page& page, HelpStyle style) {
  std::string text;
  for (const auto& group : groups_of(page)) {
    text += heading(group + ":", style);
    for (const auto& option : page.options) {
      if (option.group == group) text += term_line(option_term(option), option.text);
    }
  }
  return text;
}

std::string sections_text(const Page& page, HelpStyle style) {
  std::string text;
  for (const auto& section : page.info->sections) {
    text += heading(std::string(section.title) + ":", style);
    for (const auto& [term, explanation] : section.terms) text += term_line(term, explanation);
  }
  return text;
}

std::string examples_text(const Page& page, HelpStyle style) {
  if (page.info->examples.empty()) return {};
  std::string text = heading("Examples:", style);
  for (const auto& [line, what] : page.info->examples) {
    text += std::string(kIndent, ' ') + std::string(line) + "\n      " + wrapped(what, 6, kWidth) + "\n";
  }
  return text;
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string result;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, length);
    text.remove_prefix(std::min(length + 1, text.size()));
    if (column > indent && column + 1 + word.size() > width) {
      result += "\n" + std::string(indent, ' ');
      column = indent;
    }
    if (column > indent) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word.size();
  }
  return result;
}

std::string help_text(const Page& page, HelpStyle style) {
  std::string text = page.title + " - " + std::string(page.info->summary) + "\n";
  text += usage_text(page, style);
  for (const auto paragraph : page.info->description) text += "\n" + wrapped(paragraph, 0, kWidth) + "\n";
  text += options_text(page, style);
  text += sections_text(page, style);
  text += examples_text(page, style);
  return text;
}

HelpStyle style_of_stdout() {
  const char* terminal = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  const bool plain = ::isatty(STDOUT_FILENO) == 0 || terminal == nullptr ||
                     std::string_view(terminal) == "dumb" || (no_color != nullptr && *no_color != '\0');
  return plain ? HelpStyle::plain : HelpStyle::terminal;
}

}  // namespace prx::cli
