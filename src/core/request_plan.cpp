#include "core/request_plan.hpp"

#include <utility>

#include "base/overloaded.hpp"
#include "base/try.hpp"
#include "core/environment.hpp"

namespace prx::core {
namespace {

using protocol::StdioKind;

Error invalid(const char* step, std::string subject, std::string detail, std::string hint = {}) {
  return {ErrorKind::invalid_request, step, std::move(subject), 0, std::move(detail), std::move(hint)};
}

Result<void> check_text(const char* step, const std::string& text) {
  const auto nul = text.find('\0');
  if (nul == std::string::npos) return {};
  return invalid(step, text.substr(0, nul), "holds a NUL byte, which no program can be given");
}

std::vector<std::string> shell_arguments(const std::string& shell, const ShellLine& line) {
  std::vector<std::string> argv{shell};
  argv.insert(argv.end(), line.options.begin(), line.options.end());
  argv.emplace_back("-c");
  // To a POSIX shell the line is its first operand, not the value of -c: this one would be an option.
  if (line.text.starts_with('-') || line.text.starts_with('+')) argv.emplace_back("--");
  argv.push_back(line.text);
  argv.insert(argv.end(), line.args.begin(), line.args.end());
  return argv;
}

Result<void> plan_command(const Command& command, const Settings& settings, protocol::RequestFields& fields) {
  fields.argv = std::visit(base::Overloaded{
                               [&](const ShellLine& line) { return shell_arguments(settings.shell, line); },
                               [](const Program& program) {
                                 std::vector<std::string> argv{program.file};
                                 argv.insert(argv.end(), program.args.begin(), program.args.end());
                                 return argv;
                               },
                           },
                           command);
  fields.file = fields.argv.front();
  if (fields.file.empty()) return invalid("exec", {}, "the command is empty");
  for (const auto& argument : fields.argv) PRX_CHECK(check_text("exec", argument));
  return {};
}

Result<void> plan_stdio(const ExecutionRequest& request, protocol::RequestFields& fields) {
  if (!request.terminal) {
    fields.stdio[0] = std::holds_alternative<NoStdin>(request.input) ? StdioKind::null : StdioKind::passed;
    fields.stdio[1] = StdioKind::passed;
    fields.stdio[2] = StdioKind::passed;
    return {};
  }
  const bool streams =
      std::holds_alternative<NoStdin>(request.input) || std::holds_alternative<StdinStream>(request.input);
  if (!streams || !std::holds_alternative<Capture>(request.out) ||
      !std::holds_alternative<Capture>(request.err)) {
    return invalid("terminal", {}, "a terminal takes the place of stdin, stdout and stderr",
                   "use NoStdin or StdinStream, and Capture");
  }
  for (auto& kind : fields.stdio) kind = StdioKind::terminal;
  fields.rows = request.terminal->rows;
  fields.columns = request.terminal->columns;
  return {};
}

Result<void> plan_environment(const ExecutionRequest& request, const Settings& settings,
                              protocol::RequestFields& fields) {
  for (const auto& variable : request.env) PRX_CHECK(check_variable(variable));
  const auto env = merge_environment(settings.base_env, request.env);
  fields.env.reserve(env.size());
  for (const auto& variable : env) fields.env.push_back(variable.name + "=" + variable.value);
  return {};
}

Result<std::string> absolute_dir(const std::string& directory, std::string_view current_dir) {
  PRX_CHECK(check_text("chdir", directory));
  if (directory.starts_with('/')) return directory;
  if (current_dir.empty()) {
    return Error{ErrorKind::not_found,
                 "chdir",
                 directory,
                 0,
                 "the current directory no longer exists",
                 "give an absolute working directory"};
  }
  if (directory.empty()) return std::string(current_dir);
  return std::string(current_dir) + "/" + directory;
}

std::chrono::milliseconds choose_timeout(const ExecutionRequest& request, const Settings& settings) {
  if (request.timeout) return *request.timeout;
  const auto tool = settings.tool_timeouts.find(request.tool);
  return tool != settings.tool_timeouts.end() ? tool->second : settings.default_timeout;
}

}  // namespace

Result<RequestPlan> plan_request(const ExecutionRequest& request, const Settings& settings,
                                 std::string_view current_dir) {
  RequestPlan plan;
  PRX_CHECK(plan_command(request.command, settings, plan.fields));
  PRX_CHECK(plan_stdio(request, plan.fields));
  PRX_CHECK(plan_environment(request, settings, plan.fields));
  PRX_TRY(plan.fields.working_dir, absolute_dir(request.working_dir, current_dir));
  plan.timeout = choose_timeout(request, settings);
  if (plan.timeout.count() < 0)
    return invalid("timeout", {}, "a timeout cannot be negative", "use 0 for no limit");
  // Past a century the deadline would overflow the clock; it is no limit in practice.
  constexpr auto kCentury = std::chrono::hours(24 * 36'525);
  if (plan.timeout > kCentury) plan.timeout = std::chrono::milliseconds(0);
  plan.fields.timeout = plan.timeout;
  plan.fields.grace = kGrace;
  plan.max_memory = settings.max_memory;
  plan.has_file_limit = settings.has_file_limit;
  plan.max_output = request.max_output.value_or(settings.max_output).value;
  return plan;
}

void fit_streams(protocol::RequestFields& fields, SlotStreams streams) {
  const bool frames = streams == SlotStreams::frames;
  for (auto& kind : fields.stdio) {
    if (kind == StdioKind::passed || kind == StdioKind::framed) {
      kind = frames ? StdioKind::framed : StdioKind::passed;
    }
  }
  fields.pass_terminal = !frames;
}

protocol::SlotFrameOrder frame_order_for(const protocol::RequestFields& fields) {
  if (fields.stdio[0] == StdioKind::terminal) {
    // One device, both ways: all that is printed is stdout.
    const bool frames = !fields.pass_terminal;
    return {{.in = frames, .out = frames}, /*terminal=*/fields.pass_terminal};
  }
  const auto framed = [&](std::size_t stream) { return fields.stdio[stream] == StdioKind::framed; };
  return {{.in = framed(0), .out = framed(1), .err = framed(2)}, /*terminal=*/false};
}

}  // namespace prx::core
