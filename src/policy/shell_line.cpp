#include "policy/shell_line.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#ifdef PRX_HAVE_BASH_PARSER
#include <tree_sitter/api.h>

extern "C" const TSLanguage* tree_sitter_bash();
#endif

namespace prx::policy {

bool is_launching_variable(std::string_view name) {
  constexpr std::array<std::string_view, 19> kNames{
      "PATH",  "IFS",   "ENV",      "BASH_ENV",   "SHELLOPTS",   "BASHOPTS", "PROMPT_COMMAND",
      "PS4",   "PAGER", "MANPAGER", "LESSOPEN",   "LESSCLOSE",   "EDITOR",   "VISUAL",
      "SHELL", "HOME",  "PERL5OPT", "PYTHONPATH", "NODE_OPTIONS"};
  constexpr std::array<std::string_view, 7> kBeginnings{"GIT_", "LD_",   "DYLD_", "BASH_FUNC_",
                                                        "RUBY", "PERL5", "PYTHON"};
  const auto begins = [&](std::string_view beginning) { return name.starts_with(beginning); };
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() ||
         std::any_of(kBeginnings.begin(), kBeginnings.end(), begins);
}

#ifdef PRX_HAVE_BASH_PARSER
namespace {

constexpr std::size_t kMaxLine = 64U << 10U;
constexpr std::uint32_t kMaxDepth = 200;

/// Nodes that hold others and are nothing by themselves, and nodes that hold nothing that could run.
constexpr std::array<std::string_view, 62> kPlain{"program",
                                                  "list",
                                                  "pipeline",
                                                  "redirected_statement",
                                                  "negated_command",
                                                  "compound_statement",
                                                  "subshell",
                                                  "if_statement",
                                                  "elif_clause",
                                                  "else_clause",
                                                  "while_statement",
                                                  "for_statement",
                                                  "c_style_for_statement",
                                                  "case_statement",
                                                  "case_item",
                                                  "do_group",
                                                  "function_definition",
                                                  "command_substitution",
                                                  "process_substitution",
                                                  "file_redirect",
                                                  "herestring_redirect",
                                                  "heredoc_redirect",
                                                  "heredoc_body",
                                                  "heredoc_start",
                                                  "heredoc_end",
                                                  "heredoc_content",
                                                  "file_descriptor",
                                                  "word",
                                                  "string",
                                                  "string_content",
                                                  "raw_string",
                                                  "concatenation",
                                                  "simple_expansion",
                                                  "expansion",
                                                  "variable_name",
                                                  "special_variable_name",
                                                  "number",
                                                  "comment",
                                                  "array",
                                                  "arithmetic_expansion",
                                                  "binary_expression",
                                                  "unary_expression",
                                                  "postfix_expression",
                                                  "parenthesized_expression",
                                                  "ternary_expression",
                                                  "test_command",
                                                  "test_operator",
                                                  "extglob_pattern",
                                                  "regex",
                                                  "ansi_c_string",
                                                  "translated_string",
                                                  "brace_expression",
                                                  "variable_assignment",
                                                  "variable_assignments",
                                                  "subscript",
                                                  "declaration_command",
                                                  "unset_command",
                                                  "command_name",
                                                  "command",
                                                  "arithmetic_binary",
                                                  "arithmetic_unary",
                                                  "arithmetic_literal"};

class LineReader {
 public:
  explicit LineReader(std::string_view line) : line_(line) {}

  ShellReading read(TSNode root) {
    visit(root, 0);
    return std::move(reading_);
  }

 private:
  void unseen(std::string reason) {
    auto& all = reading_.unseen;
    if (std::find(all.begin(), all.end(), reason) == all.end()) all.push_back(std::move(reason));
  }

  [[nodiscard]] std::string_view text_of(TSNode node) const {
    const auto start = ts_node_start_byte(node);
    return line_.substr(start, ts_node_end_byte(node) - start);
  }

  void visit(TSNode node, std::uint32_t depth) {
    if (depth > kMaxDepth) return unseen("it is nested too deep");
    if (ts_node_is_missing(node)) return unseen("it is no whole shell line");
    if (ts_node_is_named(node)) {
      const std::string_view type = ts_node_type(node);
      if (type == "ERROR" || std::find(kPlain.begin(), kPlain.end(), type) == kPlain.end()) {
        return unseen(type == "ERROR" ? "it cannot be parsed" : "it has a " + std::string(type));
      }
      if (type == "command") command(node);
      if (type == "variable_assignment") assignment(node);
    }
    for (std::uint32_t i = 0; i < ts_node_child_count(node); ++i) visit(ts_node_child(node, i), depth + 1);
  }

  void command(TSNode node) {
    WordList words;
    std::uint32_t end = 0;
    for (std::uint32_t i = 0; i < ts_node_child_count(node); ++i) {
      const TSNode word = ts_node_child(node, i);
      // By type: the names of fields that the library gives are wrong behind the second word.
      const std::string_view type = ts_node_type(word);
      if (type == "variable_assignment" || type.ends_with("_redirect")) continue;
      // What bash takes for one word must not have become two here.
      if (!words.empty() && ts_node_start_byte(word) == end) unseen("two words touch each other");
      end = ts_node_end_byte(word);
      words.push_back(read_shell_word(text_of(word)));
    }
    if (!words.empty()) reading_.commands.push_back(std::move(words));
  }

  void assignment(TSNode node) {
    const auto text = text_of(node);
    const auto name = text.substr(0, text.find_first_of("=+["));
    if (is_launching_variable(name)) unseen("it sets " + std::string(name));
  }

  std::string_view line_;
  ShellReading reading_;
};

/// What the two readers, bash and the parser, could see differently.
const char* doubtful(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const auto c = static_cast<unsigned char>(line[i]);
    if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7F) return "it has a control character";
    if (c == '\\' && i + 1 < line.size() && line[i + 1] == '\n') return "a word goes on in the next line";
  }
  return line.size() > kMaxLine ? "it is longer than 64 KiB" : nullptr;
}

}  // namespace

ShellReading read_shell_line(std::string_view line) {
  if (const char* doubt = doubtful(line)) return {{}, {doubt}};
  const std::unique_ptr<TSParser, decltype(&ts_parser_delete)> parser(ts_parser_new(), ts_parser_delete);
  if (!ts_parser_set_language(parser.get(), tree_sitter_bash())) return {{}, {"its parser does not work"}};
  const std::unique_ptr<TSTree, decltype(&ts_tree_delete)> tree(
      ts_parser_parse_string(parser.get(), nullptr, line.data(), static_cast<std::uint32_t>(line.size())),
      ts_tree_delete);
  if (!tree) return {{}, {"it cannot be parsed"}};
  return LineReader(line).read(ts_tree_root_node(tree.get()));
}
#else
ShellReading read_shell_line(std::string_view) {
  return {{}, {"this build has no parser of shell lines"}};
}
#endif

}  // namespace prx::policy
