#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

#include "cli/prx_program.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

/// The one object that `text` must consist of.
boost::json::object object_of(const std::string& text) {
  boost::system::error_code error;
  auto value = boost::json::parse(text, error);
  EXPECT_FALSE(error) << text;
  EXPECT_EQ(text.find('\n'), text.size() - 1) << "one line: " << text;
  return value.is_object() ? value.get_object() : boost::json::object{};
}

std::string string_in(const boost::json::object& object, std::string_view key) {
  const auto* value = object.if_contains({key.data(), key.size()});
  return value != nullptr && value->is_string()
             ? std::string(value->get_string().c_str(), value->get_string().size())
             : "(no string)";
}

std::int64_t number_in(const boost::json::object& object, std::string_view key) {
  const auto* value = object.if_contains({key.data(), key.size()});
  return value != nullptr && value->is_number() ? value->to_number<std::int64_t>() : -1;
}

TEST(CliJson, IsOneObjectWithEverything) {
  const auto result = run_prx({"run", "--json", "-c", "echo out; echo err >&2; exit 3"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.err, "");
  const auto object = object_of(result.out);
  EXPECT_EQ(string_in(object, "stdout"), "out\n");
  EXPECT_EQ(string_in(object, "stderr"), "err\n");
  EXPECT_EQ(string_in(object, "stdout_encoding"), "utf-8");
  EXPECT_EQ(number_in(object, "stdout_bytes"), 4);
  EXPECT_EQ(number_in(object, "exit_code"), 3);
  EXPECT_EQ(string_in(object, "backend"), "native");
  EXPECT_EQ(string_in(object, "sandbox"), "none");
  EXPECT_EQ(string_in(object, "slot"), "cold");
  EXPECT_EQ(string_in(object.at("ending").as_object(), "kind"), "exited");
  EXPECT_EQ(number_in(object.at("ending").as_object(), "code"), 3);
  for (const char* key : {"stdout_truncated", "stderr_truncated", "unresponsive"}) {
    EXPECT_TRUE(object.at(key).is_bool()) << key;
  }
  for (const char* key : {"usage", "timings_us", "leftovers", "enforced"}) {
    EXPECT_TRUE(object.at(key).is_object()) << key;
  }
  for (const char* key : {"warnings", "violations"}) EXPECT_TRUE(object.at(key).is_array()) << key;
  EXPECT_GT(number_in(object, "env_withheld"), 0);
  EXPECT_GE(number_in(object, "duration_ms"), 0);
  EXPECT_GT(number_in(object.at("usage").as_object(), "max_rss_bytes"), 0);
  EXPECT_GT(number_in(object.at("timings_us").as_object(), "run"), 0);
}

TEST(CliJson, SaysHowACommandEnded) {
  const auto killed = object_of(run_prx({"run", "--json", "-c", "kill -9 $$"}).out);
  EXPECT_EQ(string_in(killed.at("ending").as_object(), "kind"), "signaled");
  EXPECT_EQ(number_in(killed.at("ending").as_object(), "signal"), 9);
  const auto late = run_prx({"run", "--json", "--timeout", "200ms", "--", "sleep", "60"});
  EXPECT_EQ(late.exit_code, 124);
  EXPECT_EQ(late.err, "");
  EXPECT_EQ(string_in(object_of(late.out).at("ending").as_object(), "kind"), "timed_out");
  EXPECT_EQ(number_in(object_of(late.out).at("ending").as_object(), "limit_ms"), 200);
}

TEST(CliJson, BytesThatAreNoTextComeAsBase64) {
  const auto object =
      object_of(run_prx({"run", "--json", "-c", R"(printf '\377\000a'; printf 'plain\0' >&2)"}).out);
  EXPECT_EQ(string_in(object, "stdout_encoding"), "base64");
  EXPECT_EQ(string_in(object, "stdout"), "/wBh");
  EXPECT_EQ(number_in(object, "stdout_bytes"), 3);
  EXPECT_EQ(string_in(object, "stderr_encoding"), "utf-8") << "NUL is a character";
  EXPECT_EQ(string_in(object, "stderr"), std::string("plain\0", 6));
}

TEST(CliJson, TruncatedTextStaysTextAndSaysWhatIsMissing) {
  // 100 two-byte characters and a limit that cuts one in the middle on both sides.
  const auto object = object_of(
      run_prx({"run", "--json", "--max-output", "50", "-c", "for i in $(seq 100); do printf é; done"}).out);
  EXPECT_EQ(string_in(object, "stdout_encoding"), "utf-8");
  EXPECT_TRUE(object.at("stdout_truncated").as_bool());
  EXPECT_EQ(number_in(object, "stdout_bytes"), 200);
  EXPECT_NE(string_in(object, "stdout").find("152 bytes left out"), std::string::npos)
      << string_in(object, "stdout");
  EXPECT_EQ(string_in(object, "stdout").find("\xEF\xBF\xBD"), std::string::npos)
      << "no replacement character";
}

TEST(CliJson, ALimitOfJustTheOutputTruncatesNothing) {
  const auto exact = object_of(run_prx({"run", "--json", "--max-output", "6", "-c", "echo 12345"}).out);
  EXPECT_FALSE(exact.at("stdout_truncated").as_bool());
  const auto over = object_of(run_prx({"run", "--json", "--max-output", "5", "-c", "echo 12345"}).out);
  EXPECT_TRUE(over.at("stdout_truncated").as_bool());
}

TEST(CliJson, FailuresAreObjectsToo) {
  const auto missing = run_prx({"run", "--json", "--", "no-such-program"});
  EXPECT_EQ(missing.exit_code, 127);
  EXPECT_EQ(missing.err, "");
  const auto error = object_of(missing.out).at("error").as_object();
  EXPECT_EQ(string_in(error, "kind"), "not_found");
  EXPECT_EQ(string_in(error, "step"), "exec");
  EXPECT_EQ(string_in(error, "subject"), "no-such-program");
  EXPECT_EQ(number_in(error, "errno"), ENOENT);
  EXPECT_TRUE(error.contains("detail") && error.contains("hint"));

  const auto wrong = run_prx({"run", "--json", "--no-such-option", "true"});
  EXPECT_EQ(wrong.exit_code, 125);
  EXPECT_EQ(string_in(object_of(wrong.out).at("error").as_object(), "kind"), "invalid_request");
  EXPECT_EQ(string_in(object_of(run_prx({"run", "--json", "--", "no\xFFsuch"}).out).at("error").as_object(),
                      "subject"),
            "no\xEF\xBF\xBDsuch")
      << "JSON is UTF-8 whatever the name was";
}

TEST(CliReport, GoesToAFileWhileTheOutputStreams) {
  const TempDir folder;
  const std::string file = folder / "report.json";
  const auto result = run_prx({"run", "--report", file, "-c", "echo out; echo err >&2; exit 4"});
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  const auto object = object_of(read_file(file));
  EXPECT_EQ(string_in(object, "stdout"), "out\n");
  EXPECT_EQ(number_in(object, "exit_code"), 4);
}

TEST(CliReport, GoesToADescriptorThatTheCommandDoesNotGet) {
  const auto result =
      run_line("$PRX run --report fd:3 -c 'ls /proc/self/fd | grep -x 3; echo x >&3' 3>&1 >/dev/null 2>&1");
  const auto object = object_of(result.out);
  EXPECT_EQ(string_in(object, "stdout"), "3\n") << "only the one that ls itself opened";
  EXPECT_NE(string_in(object, "stderr").find("Bad file descriptor"), std::string::npos);
}

TEST(CliReport, HasTheErrorWhenNothingRan) {
  const TempDir folder;
  const std::string file = folder / "report.json";
  EXPECT_EQ(run_prx({"run", "--report", file, "--", "no-such-program"}).exit_code, 127);
  EXPECT_EQ(string_in(object_of(read_file(file)).at("error").as_object(), "kind"), "not_found");
}

TEST(CliReport, ThatCannotBeWrittenStopsTheRunBeforeItStarts) {
  const TempDir folder;
  const auto result = run_prx({"run", "--report", "/no/such/folder/r.json", "--", "touch", folder / "ran"});
  EXPECT_EQ(result.exit_code, 125);
  EXPECT_TRUE(result.err.starts_with("prx: report: /no/such/folder/r.json: ")) << result.err;
  EXPECT_EQ(run_prx({"run", "--report", "fd:99", "--", "touch", folder / "ran"}).exit_code, 125);
  EXPECT_EQ(run_prx({"run", "--report", "fd:x", "--", "touch", folder / "ran"}).exit_code, 125);
  EXPECT_EQ(run_line("test -e " + (folder / "ran")).exit_code, 1);
}

}  // namespace
}  // namespace prx::test
