#include <algorithm>
#include <cctype>

#include <prx/version.hpp>

#include "cli/page.hpp"

namespace prx::cli {
namespace {

/// Text as roff takes it literally: backslashes, hyphens and control characters at a line's start.
std::string escaped(std::string_view text) {
  std::string result;
  if (text.starts_with('.') || text.starts_with('\'')) result += "\\&";
  for (const char c : text) {
    switch (c) {
      case '\\':
        result += "\\e";
        break;
      case '-':
        result += "\\-";
        break;
      case '\'':
        result += "\\(aq";
        break;
      case '`':
        result += "\\(ga";
        break;
      case '^':
        result += "\\(ha";
        break;
      case '~':
        result += "\\(ti";
        break;
      default:
        result += c;
    }
  }
  return result;
}

std::string upper(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return c == ' ' ? '-' : static_cast<char>(std::toupper(c)); });
  return result;
}

std::string man_name(const Page& page) {
  std::string name = page.title;
  std::replace(name.begin(), name.end(), ' ', '-');
  return name;
}

std::string heading(std::string_view title) {
  std::string text(title);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return ".SH \"" + escaped(text) + "\"\n";
}

std::string term_entry(std::string_view term, std::string_view text) {
  return ".TP\n.B " + escaped(term) + "\n" + escaped(text) + "\n";
}

std::string option_entry(const OptionDoc& option) {
  std::string term;
  for (const auto& name : option.names) {
    term += (term.empty() ? "\\fB" : "\\fR, \\fB") + escaped(name);
  }
  if (!option.operand && !option.value.empty()) term += "\\fR \\fI" + escaped(option.value);
  return ".TP\n" + term + "\\fR\n" + escaped(option.text) + "\n";
}

std::string synopsis(const Page& page) {
  std::string text = heading("Synopsis");
  bool first = true;
  for (const auto form : page.info->synopsis) {
    if (!first) text += ".br\n";
    first = false;
    text += ".B " + escaped(page.title) + "\n";
    if (!form.empty()) text += escaped(form) + "\n";
  }
  return text;
}

std::string description(const Page& page) {
  std::string text = heading("Description");
  bool first = true;
  for (const auto paragraph : page.info->description) {
    if (!first) text += ".PP\n";
    first = false;
    text += escaped(paragraph) + "\n";
  }
  return text;
}

std::string examples(const Page& page) {
  if (page.info->examples.empty()) return {};
  std::string text = heading("Examples");
  for (const auto& [line, what] : page.info->examples) text += term_entry(line, what);
  return text;
}

}  // namespace

std::string man_page(const Page& page) {
  std::string text = ".TH " + upper(page.title) + " 1 \"\" \"prx " + prx::version() + "\" \"prx manual\"\n";
  text += heading("Name") + escaped(man_name(page)) + " \\- " + escaped(page.info->summary) + "\n";
  text += synopsis(page) + description(page);
  for (const auto& group : groups_of(page)) {
    text += heading(group);
    for (const auto& option : page.options) {
      if (option.group == group) text += option_entry(option);
    }
  }
  for (const auto& section : page.info->sections) {
    text += heading(section.title);
    for (const auto& [term, explanation] : section.terms) text += term_entry(term, explanation);
  }
  return text + examples(page);
}

}  // namespace prx::cli
