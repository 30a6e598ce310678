#include <fmt/format.h>

#include <string>
#include <string_view>

#include <prx/config.hpp>

#include "config/schema.hpp"
#include "config/suggest.hpp"

namespace prx {

namespace {

using config::KeyInfo;
using config::ListedKey;
using config::Start;

constexpr std::size_t kColumns = 100;

constexpr std::string_view kHead =
    "# The configuration of prx. Every key is here; a line that begins with \"#\" and a key is switched off, "
    "and\n"
    "# removing the \"#\" sets the key. Most of those mean more when they are set than their value says: "
    "what\n"
    "# you ask for must be enforced, while prx does the best it can about a default.\n"
    "#\n"
    "# prx config check    checks this file\n"
    "# prx config show     prints what holds, and where each value comes from\n";

/// A name for the tables of tools and servers in the file.
constexpr std::string_view kExampleName = "example";

/// Writes the file from the schema, table by table.
class Writer {
 public:
  explicit Writer(std::string& out) : out_(out) {}

  void write(const ListedKey& key) {
    std::string path = key.path;
    if (const auto at = path.find("<name>"); at != std::string::npos) {
      path.replace(at, std::string_view("<name>").size(), kExampleName);
      is_example_ = true;
    }
    const bool is_free_table = key.info->rule.name_check != nullptr;
    const auto dot = path.rfind('.');
    open_table(is_free_table ? path : path.substr(0, dot), is_free_table || is_example_);
    write_about(*key.info);
    write_line(*key.info, is_free_table ? std::string() : path.substr(dot + 1) + " = ");
  }

 private:
  void open_table(std::string table, bool is_off) {
    if (table == table_) return;
    table_ = std::move(table);
    out_ += fmt::format("\n{}[{}]\n", is_off ? "#" : "", table_);
  }

  void write_about(const KeyInfo& info) {
    std::string about(info.about);
    if (!info.rule.words.empty()) about += fmt::format(" One of {}.", config::list_of_words(info.rule.words));
    std::size_t column = kColumns;
    for (std::string_view rest = about; !rest.empty();) {
      const auto word = rest.substr(0, rest.find(' '));
      rest.remove_prefix(std::min(word.size() + 1, rest.size()));
      if (column + 1 + word.size() > kColumns) {
        out_ += out_.ends_with('\n') ? "#" : "\n#";
        column = 1;
      }
      out_ += ' ';
      out_ += word;
      column += 1 + word.size();
    }
    out_ += '\n';
  }

  void write_line(const KeyInfo& info, const std::string& assignment) {
    std::string_view sign;
    if (info.start != Start::written) sign = "#";
    if (info.start == Start::alternative) sign = "#   ";
    out_ += fmt::format("{}{}{}\n", sign, assignment, info.value);
  }

  std::string& out_;
  std::string table_;
  bool is_example_ = false;
};

std::string write_all() {
  std::string text(kHead);
  Writer writer(text);
  for (const ListedKey& key : config::listed_keys()) writer.write(key);
  return text;
}

}  // namespace

std::string_view default_config_text() noexcept {
  // Never destroyed: another thread of the host may still read the configuration while the process ends.
  static const auto& text = *new std::string(write_all());
  return text;
}

}  // namespace prx
