#include "cli/page.hpp"

#include <algorithm>

#include <CLI/CLI.hpp>

namespace prx::cli {
namespace {

constexpr std::string_view kChoiceLetters = "abcdefghijklmnopqrstuvwxyz-|";

OptionDoc doc_of(const CLI::Option& option) {
  OptionDoc doc;
  for (const auto& name : option.get_snames()) doc.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) doc.names.push_back("--" + name);
  doc.operand = doc.names.empty();
  if (doc.operand) doc.names.push_back(option.get_name(true));
  if (option.get_items_expected_max() > 0) doc.value = option.get_type_name();
  doc.text = option.get_description();
  doc.group = option.get_group();
  return doc;
}

}  // namespace

std::vector<std::string> OptionDoc::choices() const {
  std::vector<std::string> words;
  if (value.find('|') == std::string::npos || value.find_first_not_of(kChoiceLetters) != std::string::npos) {
    return words;
  }
  for (std::size_t begin = 0; begin <= value.size();) {
    const std::size_t end = std::min(value.find('|', begin), value.size());
    words.push_back(value.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::string title_of(const CommandInfo& info) {
  const bool own_program = info.name == "prx" || info.name.starts_with("prx-");
  return own_program ? std::string(info.name) : "prx " + std::string(info.name);
}

Page page_of(const CommandInfo& info, CLI::App& app) {
  Page page{.info = &info, .title = title_of(info), .options = {}};
  for (const CLI::Option* option : app.get_options()) page.options.push_back(doc_of(*option));
  return page;
}

std::vector<std::string> groups_of(const Page& page) {
  std::vector<std::string> groups;
  for (const auto& option : page.options) {
    if (std::find(groups.begin(), groups.end(), option.group) == groups.end()) groups.push_back(option.group);
  }
  return groups;
}

}  // namespace prx::cli
