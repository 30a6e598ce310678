#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "base/fd.hpp"
#include "base/printable.hpp"
#include "base/try.hpp"
#include "cli/failure.hpp"
#include "cli/run_options.hpp"
#include "cli/text_out.hpp"

namespace prx::cli {
namespace {

constexpr std::array<std::string_view, 1> kSynopsis{"init|check|show|path [options]"};
constexpr std::array<std::string_view, 1> kDescription{
    "The configuration is one TOML file: the one of --config, else of the variable PRX_CONFIG, else "
    "$XDG_CONFIG_HOME/openprx/config.toml (~/.config where that is not set). Over it come PRX_SECTION__KEY "
    "variables, and over those --set. Without a file everything has its default."};
constexpr std::array<Term, 4> kActions{{
    {"init", "write a commented file with every key at its default; never over one that exists"},
    {"check", "report every mistake, with line, column and the nearest right key; 125 if there is one"},
    {"show", "print what holds now, as TOML, with where each value comes from"},
    {"path", "print the name of the file that is read"},
}};
constexpr std::array<TermSection, 1> kSections{{{"Actions", kActions}}};
constexpr std::array<Term, 2> kExamples{{
    {"prx config init && prx config check", "begin with the defaults"},
    {"prx config show --set runtime.backend=native", "what would hold with one key changed"},
}};
constexpr mode_t kFolderMode = 0700;
constexpr mode_t kFileMode = 0600;
constexpr int kOriginColumn = 50;

class ConfigCommand final : public Command {
 public:
  void declare_options(CLI::App& app) override {
    app.add_option("ACTION", action_, "what to do")->type_name("init|check|show|path")->group("Operands");
    declare_config_options(app, file_, settings_);
  }

  int run(Operands operands) override {
    if (!operands.words.empty()) {
      return report_failure(usage_error(operands.words.front(), "one action is enough", kHint), false);
    }
    if (action_ == "init") return init();
    if (action_ == "check") return check();
    if (action_ == "show") return show();
    if (action_ == "path") return print_result(check_config(sources()).file + "\n");
    const std::string what = action_.empty() ? "an action is missing" : "no such action";
    return report_failure(usage_error("config" + (action_.empty() ? "" : " " + action_), what, kHint), false);
  }

 private:
  static constexpr const char* kHint = "prx config init, check, show or path";

  [[nodiscard]] ConfigSources sources() const { return config_sources(file_, settings_); }
  int init() const;
  int check() const;
  int show() const;

  std::string action_;
  std::string file_;
  std::vector<std::string> settings_;
};

Error write_error(const std::string& path) {
  return {.kind = ErrorKind::setup_failed, .step = "config init", .subject = path, .os_errno = errno};
}

/// Makes the folders above `path` that are missing.
Result<void> create_parents(const std::string& path) {
  for (auto slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const std::string folder = path.substr(0, slash);
    if (::mkdir(folder.c_str(), kFolderMode) != 0 && errno != EEXIST) return write_error(folder);
  }
  return {};
}

Result<void> write_new_file(const std::string& path, std::string_view text) {
  PRX_CHECK(create_parents(path));
  // O_EXCL: a file that is there, or a link to nowhere, is not ours to write.
  const base::Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, kFileMode));
  if (!file.is_open() && errno == EEXIST) {
    return Error{.kind = ErrorKind::invalid_request,
                 .step = "config init",
                 .subject = path,
                 .detail = "there is a file already, it was left as it is",
                 .hint = "prx config check reads it; prx config init --config FILE writes another one"};
  }
  if (!file.is_open() || !write_all(file.get(), text)) return write_error(path);
  return {};
}

int ConfigCommand::init() const {
  const std::string path = check_config(sources()).file;
  if (path.empty()) {
    return report_failure(
        usage_error("config init", "no home directory to write to", "name a file: --config FILE"), false);
  }
  const auto written = write_new_file(path, default_config_text());
  if (!written) return report_failure(written.error(), false);
  return print_result("wrote " + path + "\n");
}

std::string finding_text(const ConfigFinding& finding) {
  std::string text = finding.error ? "error: " : "note: ";
  text += base::printable(finding.where.describe()) + ": ";
  if (!finding.key.empty()) text += base::printable(finding.key) + ": ";
  text += base::printable(finding.text) + "\n";
  if (!finding.hint.empty()) text += "  hint: " + base::printable(finding.hint) + "\n";
  return text;
}

int ConfigCommand::check() const {
  const ConfigReport report = check_config(sources());
  std::string text;
  std::size_t errors = 0;
  bool unusable = false;
  for (const auto& finding : report.findings) {
    text += finding_text(finding);
    if (!finding.error) continue;
    ++errors;
    unusable = unusable || finding.where.layer == ConfigLayer::user;
  }
  text += base::printable(report.file) + (report.file_exists || unusable ? "" : " (not there: defaults)");
  text += (errors == 0 ? ": good\n" : ": " + std::to_string(errors) + " to correct\n");
  const int printed = print_result(text);
  return errors == 0 ? printed : kPrxFailed;
}

/// Dotted keys, as --set takes them, each line complete in itself: made for grep, and still TOML.
int ConfigCommand::show() const {
  const auto config = load_config(sources());
  if (!config) return report_failure(config.error(), false);
  std::string text;
  for (const auto& item : config_items(*config)) {
    const std::string line = item.key + " = " + item.value;
    text += fmt::format("{:<{}}  # {}\n", line, kOriginColumn, base::printable(item.origin.describe()));
  }
  return print_result(text);
}

}  // namespace

const CommandInfo kConfigInfo{.name = "config",
                              .summary = "write, check and show the configuration",
                              .synopsis = kSynopsis,
                              .description = kDescription,
                              .sections = kSections,
                              .examples = kExamples};

std::unique_ptr<Command> make_config_command() {
  return std::make_unique<ConfigCommand>();
}

}  // namespace prx::cli
