#include "backends/native/enforceable.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace prx::backends {
namespace {

Result<void> check(const std::vector<std::string>& settings) {
  const auto config = load_config({.file = "/dev/null", .settings = settings});
  if (!config) return config.error();
  return check_enforceable(*config);
}

TEST(NativeEnforceable, DefaultsAreNoWish) {
  EXPECT_TRUE(check({}).has_value());
}

using Rules = std::vector<std::pair<std::string, std::string>>;

void expect_refused(const Rules& rules, const std::vector<std::string>& beside) {
  for (const auto& [key, value] : rules) {
    std::vector<std::string> settings = beside;
    settings.push_back(key + "=" + value);
    const auto result = check(settings);
    ASSERT_FALSE(result.has_value()) << settings.back();
    EXPECT_EQ(result.error().kind, ErrorKind::unsupported) << settings.back();
    EXPECT_EQ(result.error().subject, key);
    EXPECT_NE(result.error().hint.find(settings.back()), std::string::npos) << result.error().hint;
  }
}

TEST(NativeEnforceable, EachRuleThatIsSetIsRefusedByItsName) {
  const Rules rules{
      {"security.sandbox.require", "[\"metadata\"]"},
  };
  expect_refused(rules, {});
}

TEST(NativeEnforceable, RulesOfASandboxNeedOne) {
  const Rules rules{
      {"security.sandbox.allow_network", "false"},
      {"security.sandbox.allow_network", "[\"pypi.org\"]"},
      {"security.sandbox.readonly_paths", "[\"/etc\"]"},
      {"security.sandbox.hidden_paths", "[\"**/.env\"]"},
      {"security.sandbox.protected_paths", "[\".npmrc\"]"},
  };
  expect_refused(rules, {"security.sandbox.backend=none"});
  for (const auto& [key, value] : rules) {
    EXPECT_TRUE(check({key + "=" + value}).has_value()) << "a sandbox answers for " << key;
  }
}

TEST(NativeEnforceable, WhatRestrictsNothingIsTaken) {
  for (const std::string setting : {"security.sandbox.allow_network=true", "security.sandbox.hidden_paths=[]",
                                    "security.sandbox.protected_paths=[]", "security.audit.enabled=true"}) {
    const auto result = check({"security.sandbox.backend=none", setting});
    EXPECT_TRUE(result.has_value()) << setting;
  }
}

TEST(NativeEnforceable, AFieldThatAProgramSetsCountsToo) {
  Config config;
  EXPECT_TRUE(check_enforceable(config).has_value());
  config.security.sandbox.require = {"metadata"};
  EXPECT_FALSE(check_enforceable(config).has_value());
}

TEST(NativeEnforceable, TheFileOfConfigInitIsTaken) {
  const auto settings = std::vector<std::string>{
      "security.sandbox.backend=none", "security.sandbox.readonly_paths=[]", "security.sandbox.require=[]",
      "security.sandbox.protected_paths=[\".git/hooks\", \".git/config\", "
      "\".envrc\", \".vscode\", \".idea\", "
      "\".mcp.json\", \".claude\", \".codex\", \".cursor\", \".prx.toml\"]"};
  EXPECT_TRUE(check(settings).has_value());
}

}  // namespace
}  // namespace prx::backends
