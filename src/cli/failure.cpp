#include "cli/failure.hpp"

#include <unistd.h>

#include "cli/command.hpp"
#include "cli/output_json.hpp"
#include "cli/text_out.hpp"

namespace prx::cli {
namespace {
constexpr int kNotExecutable = 126;
constexpr int kNotFound = 127;
}  // namespace

int exit_code_of(const Error& error) noexcept {
  // A missing working directory or configuration file is not the program that was asked for.
  if (error.kind == ErrorKind::not_found && error.step == "exec") return kNotFound;
  if (error.kind == ErrorKind::not_executable) return kNotExecutable;
  return kPrxFailed;
}

int report_failure(const Error& error, bool json) {
  if (json) {
    write_all(STDOUT_FILENO, error_json(error).text() + "\n");
  } else {
    print_error(error);
  }
  return exit_code_of(error);
}

}  // namespace prx::cli
