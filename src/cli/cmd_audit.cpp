#include <array>
#include <deque>
#include <map>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/audit_path.hpp"
#include "audit/verify.hpp"
#include "base/printable.hpp"
#include "base/try.hpp"
#include "cli/command.hpp"
#include "cli/failure.hpp"
#include "cli/parse.hpp"
#include "cli/run_options.hpp"
#include "cli/text_out.hpp"
#include "io/json.hpp"

namespace prx::cli {
namespace {

constexpr std::array<std::string_view, 1> kSynopsis{"show|verify|stats [options]"};
constexpr std::array<std::string_view, 2> kDescription{
    "The audit log has a line for each decision, written before anything is started, and one for each "
    "execution, "
    "written after it has ended (security.audit in the configuration). Each line has the hash of the one "
    "before.",
    "verify finds a line that was changed, taken out, swapped or cut off by somebody else. Whoever may write "
    "the file "
    "as you can also write all of it anew: keep the head that verify prints elsewhere where that matters."};
constexpr std::array<Term, 3> kActions{{
    {"show", "print the records, the oldest first"},
    {"verify",
     "hold each record against the one before, and the last against the head file; 1 if it is not whole"},
    {"stats", "count calls by tool, decisions and endings"},
}};
constexpr std::array<TermSection, 1> kSections{{{"Actions", kActions}}};
constexpr std::array<Term, 2> kExamples{{
    {"prx audit show --last 20", "what was run lately"},
    {"prx audit verify", "whether the log is whole"},
}};

std::string shown(const audit::Record& record) {
  const auto& json = record.json;
  const auto kind = json["kind"].text();
  std::string text = fmt::format("{} {:<9} {:<20} ", json["time"].text(), kind, json["call"].text());
  if (kind == "decision") {
    text += fmt::format("{:<8} {}: {}", json["admitted"].boolean() ? "admitted" : "denied",
                        json["tool"].text(), json["command"].text());
    if (!json["reason"].is_null()) text += " [" + json["reason"].text() + "]";
  } else if (kind == "execution" && json["error"].is_null()) {
    text += fmt::format("{:<8} {}: exit code {}, {} ms, {}", json["ending"].text(), json["tool"].text(),
                        json["exit_code"].number(), json["duration_ms"].number(), json["backend"].text());
  } else if (kind == "execution") {
    text += fmt::format("{:<8} {}: {}", json["error"]["kind"].text(), json["tool"].text(),
                        json["error"]["detail"].text());
  } else {
    text += json["what"].text();
  }
  return base::printable(text) + "\n";
}

class AuditCommand final : public Command {
 public:
  void declare_options(CLI::App& app) override {
    app.add_option("ACTION", action_, "what to do")->type_name("show|verify|stats")->group("Operands");
    app.add_option("--last", last_, "show: only so many records, the last ones")
        ->type_name("N")
        ->group("Output");
    app.add_option("--tool", tool_, "show: only those of this tool")->type_name("NAME")->group("Output");
    add_plain_flag(app, "--json", "print JSON: show one record a line, the others an object", "Output");
    declare_config_options(app, file_, settings_);
  }

  int run(Operands operands) override {
    const auto status = act(operands);
    return status ? *status : report_failure(status.error(), operands.json);
  }

 private:
  [[nodiscard]] Result<int> act(const Operands& operands) const {
    if (!operands.words.empty()) return usage_error(operands.words.front(), "one action is enough", kHint);
    PRX_TRY(const Config config, load_config(config_sources(file_, settings_)));
    PRX_TRY(const auto path, app::audit_path(config));
    if (action_ == "show") return show(path, operands.json);
    if (action_ == "verify") return verify(path, operands.json);
    if (action_ == "stats") return stats(path, operands.json);
    return usage_error("audit" + (action_.empty() ? "" : " " + action_),
                       action_.empty() ? "an action is missing" : "no such action", kHint);
  }

  [[nodiscard]] Result<int> show(const std::string& path, bool json) const {
    std::deque<std::string> lines;
    PRX_TRY(const auto checked, audit::verify(path, [&](const audit::Record& record, std::string_view line) {
              if (!tool_.empty() && record.json["tool"].text() != tool_) return;
              lines.push_back(json ? std::string(line) + "\n" : shown(record));
              if (last_ > 0 && lines.size() > last_) lines.pop_front();
            }));
    std::string text;
    for (const auto& line : lines) text += line;
    for (const auto& problem : checked.problems) print_warning(problem);
    return print_result(text);
  }

  [[nodiscard]] static Result<int> verify(const std::string& path, bool json) {
    std::string head(audit::kNoHash);
    PRX_TRY(const auto checked,
            audit::verify(path, [&](const audit::Record& record, std::string_view) { head = record.hash; }));
    const bool whole = checked.problems.empty();
    const int printed = print_result(json ? as_json(checked, head) : as_text(checked, head, path));
    return whole ? printed : 1;
  }

  [[nodiscard]] static std::string as_text(const audit::Verification& checked, const std::string& head,
                                           const std::string& path) {
    std::string text;
    for (const auto& note : checked.notes) text += "note: " + base::printable(note) + "\n";
    for (const auto& problem : checked.problems) text += "problem: " + base::printable(problem) + "\n";
    const char* verdict = checked.problems.empty() ? "whole" : "NOT whole";
    return text + fmt::format("{}: {}, {} records, head {}\n", base::printable(path), verdict,
                              checked.records, head);
  }

  [[nodiscard]] static std::string as_json(const audit::Verification& checked, const std::string& head) {
    auto problems = io::Json::array();
    for (const auto& problem : checked.problems) problems.push(problem);
    auto notes = io::Json::array();
    for (const auto& note : checked.notes) notes.push(note);
    auto object = io::Json::object();
    object.set("whole", checked.problems.empty()).set("records", checked.records).set("head", head);
    object.set("problems", std::move(problems)).set("notes", std::move(notes));
    return object.text() + "\n";
  }

  [[nodiscard]] static Result<int> stats(const std::string& path, bool json) {
    std::map<std::string, std::map<std::string, std::uint64_t>> counts;
    PRX_TRY(const auto checked, audit::verify(path, [&](const audit::Record& record, std::string_view) {
              const auto& members = record.json;
              const auto kind = members["kind"].text();
              if (kind == "decision") {
                ++counts["tools"][members["tool"].text()];
                ++counts["decisions"][members["admitted"].boolean() ? "admitted" : "denied"];
              } else if (kind == "execution") {
                const auto ending = members["ending"].text();
                ++counts["endings"][ending.empty() ? "not started" : ending];
              }
            }));
    auto object = io::Json::object();
    object.set("records", checked.records);
    std::string text = fmt::format("{} records\n", checked.records);
    for (const auto& [group, of_group] : counts) {
      auto members = io::Json::object();
      text += group + "\n";
      for (const auto& [name, count] : of_group) {
        members.set(name, count);
        text += fmt::format("  {:<24} {}\n", base::printable(name), count);
      }
      object.set(group, std::move(members));
    }
    return print_result(json ? object.text() + "\n" : text);
  }

  static constexpr const char* kHint = "prx audit show, verify or stats";

  std::string action_;
  std::size_t last_ = 0;
  std::string tool_;
  std::string file_;
  std::vector<std::string> settings_;
};

}  // namespace

const CommandInfo kAuditInfo{.name = "audit",
                             .summary = "the log of what was decided and run: show it, verify it, count",
                             .synopsis = kSynopsis,
                             .description = kDescription,
                             .sections = kSections,
                             .examples = kExamples};

std::unique_ptr<Command> make_audit_command() {
  return std::make_unique<AuditCommand>();
}

}  // namespace prx::cli
