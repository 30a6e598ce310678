#include "cli/prx_program.hpp"

#include "support/artefacts.hpp"

namespace prx::test {

std::vector<std::string> plain_env(const std::vector<std::string>& more) {
  std::vector<std::string> env{"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/nonexistent",
                               "PRX_CONFIG=/dev/null", "PRX_SECURITY__SANDBOX__BACKEND=none",
                               "PRX=" + prx_path()};
  env.insert(env.end(), more.begin(), more.end());
  return env;
}

std::vector<std::string> prx_command(const std::vector<std::string>& args) {
  std::vector<std::string> command{prx_path()};
  command.insert(command.end(), args.begin(), args.end());
  return command;
}

ProgramResult run_prx(const std::vector<std::string>& args, ProgramOptions options) {
  if (!options.env) options.env = plain_env();
  return run_program(prx_command(args), std::move(options));
}

ProgramResult run_line(const std::string& line) {
  ProgramOptions options;
  options.env = plain_env();
  return run_program({"/bin/sh", "-c", line}, std::move(options));
}

}  // namespace prx::test
