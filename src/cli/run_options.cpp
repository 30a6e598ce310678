#include "cli/run_options.hpp"

#include <cstdlib>

#include <CLI/CLI.hpp>

#include "base/try.hpp"
#include "cli/parse.hpp"
#include "cli/quantity.hpp"
#include "cli/text_out.hpp"

namespace prx::cli {
namespace {

CLI::Option* text_option(CLI::App& app, const std::string& names, std::string& target,
                         const std::string& value, const std::string& what) {
  return app.add_option(names, target, what)->type_name(value)->take_last();
}

CLI::Option* list_option(CLI::App& app, const std::string& names, std::vector<std::string>& target,
                         const std::string& value, const std::string& what) {
  return app.add_option(names, target, what)->type_name(value)->allow_extra_args(false);
}

/// A line and a program at once is a slip; which one was meant cannot be known.
Result<prx::Command> command_of(const RunOptions& options, const std::vector<std::string>& words) {
  if (options.line && !words.empty()) {
    return usage_error(words.front(), "there is a shell line (-c) already",
                       "put its arguments into the line: -c " +
                           shell_quoted(*options.line + " " + shell_quoted(words.front())));
  }
  if (options.line) return prx::Command(ShellLine{*options.line, options.shell_options, options.line_args});
  if (words.empty()) {
    return usage_error("PROGRAM", "nothing to run",
                       "prx run -- PROGRAM [ARG...], or prx run -c 'SHELL LINE'");
  }
  return prx::Command(Program{.file = words.front(), .args = {words.begin() + 1, words.end()}});
}

Result<EnvVar> variable_of(const std::string& text) {
  const auto equals = text.find('=');
  EnvVar variable{.name = text.substr(0, equals), .value = {}};
  if (variable.name.empty()) return usage_error("--env", "a variable needs a name", "write --env NAME=VALUE");
  if (equals != std::string::npos) {
    variable.value = text.substr(equals + 1);
    return variable;
  }
  const char* value = std::getenv(text.c_str());
  if (value == nullptr) {
    return usage_error("--env " + text, "the variable is not set here",
                       "write --env " + text + "=VALUE, or leave the option out");
  }
  variable.value = value;
  return variable;
}

Result<std::vector<EnvVar>> variables_of(const std::vector<std::string>& texts) {
  std::vector<EnvVar> variables;
  for (const auto& text : texts) {
    PRX_TRY(auto variable, variable_of(text));
    variables.push_back(std::move(variable));
  }
  return variables;
}

Result<std::optional<std::chrono::milliseconds>> timeout_of(const std::string& text) {
  std::optional<std::chrono::milliseconds> timeout;
  if (text.empty()) return timeout;
  timeout = try_duration(text);
  if (timeout) return timeout;
  return usage_error("--timeout", "'" + text + "' is not a duration",
                     "write 2s, 500ms, 1m, 1.5h, or 0 for none");
}

Result<std::optional<Bytes>> max_output_of(const std::string& text) {
  std::optional<Bytes> size;
  if (text.empty()) return size;
  size = try_size(text);
  if (size) return size;
  return usage_error("--max-output", "'" + text + "' is not a size", "write 4096, 64k, 1m or 1g");
}

}  // namespace

TerminalChoice RunOptions::terminal() const noexcept {
  if (no_tty) return TerminalChoice::never;
  return tty ? TerminalChoice::always : TerminalChoice::automatic;
}

void declare_config_options(CLI::App& app, std::string& file, std::vector<std::string>& settings) {
  text_option(app, "--config", file, "FILE", "read this configuration file instead of the user's")
      ->group("Configuration");
  list_option(app, "--set", settings, "KEY=VALUE",
              "set one key of it, as in --set runtime.backend=native; may be repeated")
      ->group("Configuration");
}

void declare_run_options(CLI::App& app, RunOptions& options) {
  const auto take_line = [&options](const std::string& line) { options.line = line; };
  app.add_option_function<std::string>("-c", take_line, "run this line with the configured shell")
      ->type_name("LINE")
      ->take_last()
      ->group("Command");
  text_option(app, "-w,--workdir", options.workdir, "DIR", "where it runs (default: here)")->group("Command");
  text_option(
      app, "--workspace", options.workspace, "DIR",
      "the directory it may write to (default: here); named like this, a home directory is allowed, too")
      ->group("Command");
  app.add_flag_callback(
         "--ssh-agent", [&options] { options.settings.emplace_back("security.sandbox.ssh_agent=true"); },
         "let it use your ssh agent")
      ->group("Command");
  list_option(app, "-e,--env", options.env, "NAME[=VALUE]",
              "set a variable, or pass on the one that is set here; may be repeated")
      ->group("Command");
  app.add_flag("--no-stdin", options.no_stdin, "the command reads end of file at once")->group("Command");
  auto* tty = app.add_flag("-t", options.tty, "give it a terminal, also when prx itself has none");
  auto* no_tty = app.add_flag("-T", options.no_tty, "give it none, also when prx itself has one");
  tty->group("Command")->excludes(no_tty);
  no_tty->group("Command");
  text_option(app, "--timeout", options.timeout, "TIME",
              "end it after this time: 2s, 500ms, 1m; 0: never (default: from the configuration; never when "
              "you type to it)")
      ->group("Limits");
  text_option(
      app, "--max-output", options.max_output, "SIZE",
      "bytes of each stream that --json and --report keep, half from its head and half from its tail: "
      "64k, 1m")
      ->group("Limits");
  add_plain_flag(app, "--json", "print one JSON object about the run instead of its output", "Output");
  text_option(app, "--report", options.report, "FILE|fd:N",
              "write that object there, and the output where it belongs")
      ->group("Output");
  app.add_flag("-v,--verbose", options.verbose, "say which backend was chosen, why, and where the time went")
      ->group("Output");
  app.add_flag("-q,--quiet", options.quiet, "no warnings and notes of prx itself")->group("Output");
  declare_config_options(app, options.config_file, options.settings);
}

ConfigSources config_sources(const std::string& file, const std::vector<std::string>& settings) {
  ConfigSources sources = ConfigSources::of_process();
  if (!file.empty()) sources.file = file;
  sources.settings = settings;
  return sources;
}

Result<ExecutionRequest> request_of(const RunOptions& options, const std::vector<std::string>& words) {
  ExecutionRequest request;
  PRX_TRY(request.command, command_of(options, words));
  PRX_TRY(request.env, variables_of(options.env));
  PRX_TRY(request.timeout, timeout_of(options.timeout));
  PRX_TRY(request.max_output, max_output_of(options.max_output));
  request.working_dir = options.workdir;
  return request;
}

}  // namespace prx::cli
