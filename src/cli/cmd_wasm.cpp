#include <array>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "app/wasm_modules.hpp"
#include "base/printable.hpp"
#include "base/try.hpp"
#include "base/utf8.hpp"
#include "cli/failure.hpp"
#include "cli/parse.hpp"
#include "cli/quantity.hpp"
#include "cli/run_options.hpp"
#include "cli/text_out.hpp"
#include "cli/wasm_report.hpp"

namespace prx::cli {
namespace {

constexpr std::array<std::string_view, 3> kSynopsis{
    "list [options]",
    "inspect|compile|remove [options] MODULE...",
    "install [options] FILE",
};
constexpr std::array<std::string_view, 2> kDescription{
    "Looks after the WebAssembly modules that `prx run --set runtime.backend=wasm` runs. A MODULE is a name "
    "in "
    "runtime.wasm.module_path, or with a slash a file.",
    "A module is compiled on its first run; compile and install do it ahead of that. Of a module's uses, "
    "what "
    "[runtime.wasm.capabilities] does not grant fails in it as a missing file or an empty list does.",
};
constexpr std::array<Term, 5> kActions{{
    {"list", "the modules of the folder, and which of them can be run"},
    {"inspect", "what a module imports and exports, what it uses, and what of that is granted; runs nothing"},
    {"compile", "compile modules and keep their code"},
    {"install", "check a file, compile it and copy it into the folder"},
    {"remove", "remove modules of the folder, with their code"},
}};
constexpr std::array<TermSection, 1> kSections{{{"Actions", kActions}}};
constexpr std::array<Term, 3> kExamples{{
    {"prx wasm install target/wasm32-wasip1/release/greet.wasm", "make it a command: greet"},
    {"prx wasm inspect greet", "what does it need?"},
    {"prx run --set runtime.backend=wasm -- greet", "run it"},
}};

using backends::ModuleStore;

class WasmCommand final : public Command {
 public:
  void declare_options(CLI::App& app) override {
    app.add_option("ACTION", action_, "what to do")
        ->type_name("list|inspect|compile|install|remove")
        ->group("Operands");
    app.add_option("MODULE", words_, "names, or files")->group("Operands");
    app.add_option("--as", as_, "install it under this name")->type_name("NAME")->group("Install");
    app.add_flag("--force", force_, "replace a module of that name")->group("Install");
    add_plain_flag(app, "--json", "print one JSON object", "Output");
    declare_config_options(app, file_, settings_);
  }

  int run(Operands operands) override {
    json_ = operands.json;
    words_.insert(words_.end(), operands.words.begin(), operands.words.end());
    const auto text = act();
    return text ? print_result(*text) : report_failure(text.error(), json_);
  }

 private:
  [[nodiscard]] Result<std::string> act() {
    PRX_TRY(config_, load_config(config_sources(file_, settings_)));
    const auto store = app::open_wasm_modules(config_);
    if (action_ != "install" && (!as_.empty() || force_)) {
      return usage_error("wasm " + action_, "--as and --force belong to install", kHint);
    }
    if (action_ == "list") return list(store);
    if (action_ == "inspect") return inspect(store);
    if (action_ == "compile") return compile(store);
    if (action_ == "install") return install(store);
    if (action_ == "remove") return remove(store);
    return usage_error(action_.empty() ? "wasm" : "wasm " + action_,
                       action_.empty() ? "an action is missing" : "no such action", kHint);
  }

  [[nodiscard]] Result<std::string> list(const ModuleStore& store) const;
  [[nodiscard]] Result<std::string> inspect(const ModuleStore& store) const;
  [[nodiscard]] Result<std::string> compile(const ModuleStore& store) const;
  [[nodiscard]] Result<std::string> install(const ModuleStore& store) const;
  [[nodiscard]] Result<std::string> remove(const ModuleStore& store) const;

  [[nodiscard]] Result<void> need_modules() const {
    if (!words_.empty()) return {};
    return usage_error("wasm " + action_, "a module is missing", "name one, or a file: see prx wasm list");
  }
  /// At once, since what follows may fail.
  [[nodiscard]] Result<void> tell(const std::string& text) const {
    return json_ ? Result<void>() : print_object(text);
  }
  /// One object for each, under "modules".
  [[nodiscard]] static std::string object_of(io::Json list) {
    io::Json object = io::Json::object();
    object.set("modules", std::move(list));
    return object.text() + "\n";
  }

  static constexpr const char* kHint = "prx wasm list, inspect, compile, install or remove";

  std::string action_;
  std::string as_;
  bool force_ = false;
  bool json_ = false;
  std::string file_;
  std::vector<std::string> settings_;
  std::vector<std::string> words_;
  Config config_;
};

Result<std::string> WasmCommand::list(const ModuleStore& store) const {
  if (!words_.empty()) return usage_error(words_.front(), "list takes options only", kHint);
  PRX_TRY(const auto reports, store.list());
  return json_ ? modules_json(reports).text() + "\n"
               : modules_text(reports, config_.runtime.wasm.module_path);
}

Result<std::string> WasmCommand::inspect(const ModuleStore& store) const {
  PRX_CHECK(need_modules());
  std::string text;
  io::Json list = io::Json::array();
  for (const auto& word : words_) {
    PRX_TRY(const auto report, store.inspect(word));
    text += (text.empty() ? "" : "\n") + module_text(report, config_);
    list.push(module_json(report, config_));
  }
  return json_ ? object_of(std::move(list)) : text;
}

Result<std::string> WasmCommand::compile(const ModuleStore& store) const {
  PRX_CHECK(need_modules());
  io::Json list = io::Json::array();
  for (const auto& word : words_) {
    if (!json_) print_note("compiling " + base::printable(word));
    PRX_TRY(const auto report, store.compile(word));
    const auto size = size_text(Bytes{report.code_size});
    const auto how = report.was_kept ? "was compiled before" : "compiled in " + duration_text(report.took);
    PRX_CHECK(tell(fmt::format("{}: {}, {} of code\n", base::printable(report.path), how, size)));
    io::Json object = io::Json::object();
    object.set("path", base::to_utf8_lossy(report.path)).set("was_compiled", report.was_kept);
    object.set("code_size", report.code_size).set("duration_us", report.took.count());
    list.push(std::move(object));
  }
  return json_ ? object_of(std::move(list)) : std::string();
}

Result<std::string> WasmCommand::install(const ModuleStore& store) const {
  if (words_.size() != 1) {
    return usage_error("wasm install", words_.empty() ? "a file is missing" : "one file at a time",
                       "prx wasm install FILE");
  }
  if (!json_) print_note("compiling " + base::printable(words_.front()));
  PRX_TRY(const auto report, store.install(words_.front(), as_, force_));
  if (json_) return module_json(report, config_).text() + "\n";
  return "installed " + base::printable(report.path) + "; run it: prx run --set runtime.backend=wasm -- " +
         shell_quoted(report.name) + "\n";
}

Result<std::string> WasmCommand::remove(const ModuleStore& store) const {
  PRX_CHECK(need_modules());
  io::Json list = io::Json::array();
  for (const auto& word : words_) {
    PRX_TRY(const auto path, store.remove(word));
    PRX_CHECK(tell("removed " + base::printable(path) + "\n"));
    io::Json object = io::Json::object();
    list.push(std::move(object.set("path", base::to_utf8_lossy(path))));
  }
  return json_ ? object_of(std::move(list)) : std::string();
}

}  // namespace

const CommandInfo kWasmInfo{.name = "wasm",
                            .summary = "look after the WebAssembly modules that prx runs",
                            .synopsis = kSynopsis,
                            .description = kDescription,
                            .sections = kSections,
                            .examples = kExamples};

std::unique_ptr<Command> make_wasm_command() {
  return std::make_unique<WasmCommand>();
}

}  // namespace prx::cli
