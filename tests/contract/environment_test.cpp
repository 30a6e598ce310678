#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

#include "contract/contract.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

constexpr const char* kSecret = "hunter2-in-the-environment";

/// A variable of this process, put back at the end.
class HostVariable {
 public:
  HostVariable(std::string name, const std::string& value) : name_(std::move(name)) {
    if (const char* old = std::getenv(name_.c_str())) old_ = old;
    setenv(name_.c_str(), value.c_str(), 1);
  }
  ~HostVariable() {
    if (old_.empty()) {
      unsetenv(name_.c_str());
    } else {
      setenv(name_.c_str(), old_.c_str(), 1);
    }
  }
  HostVariable(const HostVariable&) = delete;
  HostVariable& operator=(const HostVariable&) = delete;

 private:
  std::string name_;
  std::string old_;
};

std::set<std::string> lines_of(const std::string& text) {
  std::set<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.insert(line);
  return lines;
}

class EnvironmentContract : public ExecutionContract {
 protected:
  std::set<std::string> environment(ExecutionRequest request) {
    return lines_of(must_end(run(std::move(request))).out.bytes);
  }
};
PRX_CONTRACT(EnvironmentContract);

TEST_P(EnvironmentContract, OnlyWhatIsListedPasses) {
  const HostVariable home("HOME", "/home/of-the-host");
  const HostVariable listed("LISTED", "yes");
  const HostVariable secret("PRX_TEST_SECRET", kSecret);
  config_.runtime.env_whitelist = {"HOME", "LISTED", "NOT_SET"};
  const auto output = must_end(run(probe("print_env")));
  EXPECT_EQ(lines_of(output.out.bytes),
            (std::set<std::string>{"HOME=/home/of-the-host", "LISTED=yes", "PRX_TEST_MARK=" + marker()}));
  EXPECT_GE(output.env_withheld, 1U);
}

TEST_P(EnvironmentContract, ASecretOfTheHostIsOnNoPath) {
  const HostVariable secret("PRX_TEST_SECRET", kSecret);
  // Also not in what the command can see of its init.
  const std::string look =
      "env; export -p; tr '\\0' '\\n' < /proc/$PPID/environ; tr '\\0' ' ' < /proc/$PPID/cmdline";
  auto terminal = shell(look);
  terminal.terminal = Terminal{};
  auto piped = shell(look);
  piped.input = StdinBytes{"x"};
  for (const auto& request : {shell(look), probe("print_env"), program("env"), terminal, piped}) {
    const auto output = must_end(run(request));
    EXPECT_NE(output.out.bytes.find("PRX_TEST_MARK"), std::string::npos) << "the look itself failed";
    EXPECT_EQ(output.out.bytes.find(kSecret), std::string::npos) << output.out.bytes;
  }
}

TEST_P(EnvironmentContract, ASecretIsSeenWhereItIsListed) {
  const HostVariable secret("PRX_TEST_SECRET", kSecret);
  config_.runtime.env_whitelist.emplace_back("PRX_TEST_SECRET");
  EXPECT_TRUE(environment(probe("print_env")).contains(std::string("PRX_TEST_SECRET=") + kSecret));
}

TEST_P(EnvironmentContract, LoaderVariablesComeOnlyOnPurpose) {
  const HostVariable preload("LD_LIBRARY_PATH", "/from-the-host");
  const HostVariable bash_env("BASH_ENV", "/from-the-host");
  const HostVariable python("PYTHONPATH", "/from-the-host");
  config_.runtime.env_whitelist = {"LD_LIBRARY_PATH", "BASH_ENV", "PYTHONPATH"};
  EXPECT_EQ(environment(probe("print_env")), std::set<std::string>{"PRX_TEST_MARK=" + marker()});
  auto request = probe("print_env");
  request.env.push_back({"LD_LIBRARY_PATH", "/on-purpose"});
  EXPECT_TRUE(environment(request).contains("LD_LIBRARY_PATH=/on-purpose"));
  destroy_runtime();
  config_.runtime.native.env = {{"PYTHONPATH", "/of-the-table"}};
  EXPECT_TRUE(environment(probe("print_env")).contains("PYTHONPATH=/of-the-table"));
}

TEST_P(EnvironmentContract, LaterPlacesWin) {
  const HostVariable host("WORD", "host");
  config_.runtime.env_whitelist = {"WORD"};
  EXPECT_TRUE(environment(probe("print_env")).contains("WORD=host"));
  destroy_runtime();
  config_.runtime.native.env = {{"WORD", "table"}};
  EXPECT_TRUE(environment(probe("print_env")).contains("WORD=table"));
  auto request = probe("print_env");
  request.env.push_back({"WORD", "request"});
  request.env.push_back({"WORD", "last"});
  const auto seen = environment(request);
  EXPECT_TRUE(seen.contains("WORD=last"));
  EXPECT_FALSE(seen.contains("WORD=request"));
  EXPECT_FALSE(seen.contains("WORD=table"));
}

TEST_P(EnvironmentContract, ValuesArriveByteForByte) {
  auto request = probe("print_env", {"-0"});
  request.env = {{"PRX_TEST_MARK", marker()}, {"EMPTY", ""}, {"LINES", "a\nb\n"}, {"BYTES", "\xFF\x01=é"}};
  config_.runtime.env_whitelist = {};
  const std::string nul(1, '\0');
  EXPECT_EQ(must_end(run(request)).out.bytes, "PRX_TEST_MARK=" + marker() + nul + "EMPTY=" + nul +
                                                  "LINES=a\nb\n" + nul + "BYTES=\xFF\x01=é" + nul);
}

TEST_P(EnvironmentContract, ProgramsAreFoundInTheCommandsOwnPath) {
  const TempDir dir;
  dir.write("only-here", "#!/bin/sh\necho found\n", 0755);
  auto request = program("only-here");
  EXPECT_EQ(must_fail(run(request)).kind, ErrorKind::not_found);
  request.env.push_back({"PATH", "/nonexistent:" + dir.path() + ":/usr/bin:/bin"});
  EXPECT_EQ(must_end(run(request)).out.bytes, "found\n");
}

}  // namespace
}  // namespace prx::test
