#include "config_fixture.hpp"

namespace prx::config {
namespace {

using ConfigLayers = ConfigTest;

TEST_F(ConfigLayers, WithoutAnySourceTheDefaultsHold) {
  const auto config = load_config(ConfigSources{});
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_TRUE(config->origins.empty());
  EXPECT_EQ(dump(*config), dump(Config{}));
}

TEST_F(ConfigLayers, TheUserFileIsLookedUpInOrder) {
  ConfigSources from = sources();
  const auto timeout = [&] {
    const auto config = load_config(from);
    return config ? value_of(*config, "runtime.default_timeout_secs") : config.error().message();
  };
  EXPECT_EQ(timeout(), "60");
  write(".config/openprx/config.toml", "runtime.default_timeout_secs = 1");
  EXPECT_EQ(timeout(), "1");
  write("xdg/openprx/config.toml", "runtime.default_timeout_secs = 2");
  from.environment.push_back("XDG_CONFIG_HOME=" + path("xdg"));
  EXPECT_EQ(timeout(), "2");
  from.environment.push_back("PRX_CONFIG=" + write("named.toml", "runtime.default_timeout_secs = 3"));
  EXPECT_EQ(timeout(), "3");
  from.file = write("option.toml", "runtime.default_timeout_secs = 4");
  EXPECT_EQ(timeout(), "4");
}

TEST_F(ConfigLayers, AnEmptyOrRelativePlaceIsPassedOver) {
  write(".config/openprx/config.toml", "runtime.default_timeout_secs = 1");
  ConfigSources from = sources();
  from.environment.insert(from.environment.end(), {"PRX_CONFIG=", "XDG_CONFIG_HOME=relative"});
  const auto report = check_config(from);
  EXPECT_EQ(report.file, path(".config/openprx/config.toml"));
  EXPECT_TRUE(report.file_exists);
  EXPECT_TRUE(report.findings.empty());
}

TEST_F(ConfigLayers, WithoutHomeThereIsNoFile) {
  for (const char* home : {"HOME=", "HOME=relative", "OTHER=x"}) {
    ConfigSources from;
    from.environment.emplace_back(home);
    const auto report = check_config(from);
    EXPECT_EQ(report.file, "") << home;
    EXPECT_FALSE(report.file_exists);
    EXPECT_TRUE(report.findings.empty());
  }
}

TEST_F(ConfigLayers, LaterLayersWinAndEachValueKnowsItsOrigin) {
  ConfigSources from = file_sources(
      "[runtime]\n"
      "backend = \"docker\"\n"
      "default_timeout_secs = 1\n"
      "  max_output_bytes = 2\n");
  from.environment.insert(from.environment.end(),
                          {"PRX_RUNTIME__BACKEND=wasm", "PRX_RUNTIME__DEFAULT_TIMEOUT_SECS=5"});
  from.settings = {"runtime.backend=auto", "runtime.backend=native"};
  const auto config = load_config(from);
  ASSERT_TRUE(config) << config.error().message();

  EXPECT_EQ(config->runtime.backend, BackendChoice::native);
  EXPECT_EQ(config->origin_of("runtime.backend").describe(), "--set runtime.backend=native");
  EXPECT_EQ(config->origin_of("runtime.backend").layer, ConfigLayer::option);

  EXPECT_EQ(config->runtime.default_timeout.count(), 5);
  EXPECT_EQ(config->origin_of("runtime.default_timeout_secs").describe(),
            "PRX_RUNTIME__DEFAULT_TIMEOUT_SECS");

  EXPECT_EQ(config->runtime.max_output.value, 2U);
  EXPECT_EQ(config->origin_of("runtime.max_output_bytes").describe(), place("4:3"));

  EXPECT_EQ(config->origin_of("runtime.native.pool").describe(), "built-in");
  EXPECT_EQ(config->origins.size(), 3U);
}

TEST_F(ConfigLayers, IsSetKnowsKeysAndTheirTables) {
  const auto config = load_text("[runtime.native]\npool = 0\n[security.sandbox]\n");
  ASSERT_TRUE(config);
  EXPECT_TRUE(config->is_set("runtime.native.pool"));
  EXPECT_TRUE(config->is_set("runtime.native"));
  EXPECT_TRUE(config->is_set("runtime"));
  EXPECT_FALSE(config->is_set("runtime.native.po"));
  EXPECT_FALSE(config->is_set("runtime.native.shell"));
  EXPECT_FALSE(config->is_set("security"));
}

TEST_F(ConfigLayers, ListsAreReplacedAndTablesAddedTo) {
  ConfigSources from = file_sources(
      "[runtime]\n"
      "env_whitelist = [\"A\", \"B\"]\n"
      "[runtime.tool_timeouts]\n"
      "shell = 1\n"
      "greet = 2\n"
      "[runtime.native.env]\n"
      "ONE = \"1\"\n"
      "TWO = \"2\"\n");
  from.settings = {R"(runtime.env_whitelist=["C"])", "runtime.tool_timeouts.shell=3",
                   R"(runtime.native.env={TWO="zwei", THREE="3"})"};
  const auto config = load_config(from);
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->runtime.env_whitelist, std::vector<std::string>{"C"});
  EXPECT_EQ(config->runtime.tool_timeouts.at("shell").count(), 3);
  EXPECT_EQ(config->runtime.tool_timeouts.at("greet").count(), 2);
  const std::vector<EnvVar> env{{"ONE", "1"}, {"TWO", "zwei"}, {"THREE", "3"}};
  const auto sorted = [](std::vector<EnvVar> vars) {
    std::sort(vars.begin(), vars.end(), [](const EnvVar& a, const EnvVar& b) { return a.name < b.name; });
    return vars;
  };
  EXPECT_EQ(sorted(config->runtime.native.env), sorted(env));
  EXPECT_EQ(config->origin_of("runtime.tool_timeouts.shell").layer, ConfigLayer::option);
  EXPECT_EQ(config->origin_of("runtime.tool_timeouts.greet").describe(), place("5:1"));
  EXPECT_EQ(config->origin_of("runtime.native.env.ONE").layer, ConfigLayer::user);
  EXPECT_EQ(config->origin_of("runtime.native.env.TWO").layer, ConfigLayer::option);
}

TEST_F(ConfigLayers, VariablesReachEveryKindOfKey) {
  const auto config = load_variables({
      "PRX_RUNTIME__NATIVE__SHELL=/bin/zsh",
      "PRX_RUNTIME__ENV_WHITELIST=[\"A\"]",
      "PRX_RUNTIME__DOCKER__CPU_LIMIT=2",
      "PRX_RUNTIME__DOCKER__MEMORY_LIMIT=1g",
      "PRX_RUNTIME__DOCKER__AUTO_PULL=false",
      "PRX_RUNTIME__NATIVE__ENV__My__Name=7",
      "PRX_RUNTIME__TOOL_TIMEOUTS__MCP__FILES__READ=9",
      "PRX_SECURITY__SANDBOX__ALLOW_NETWORK=[\"pypi.org\"]",
      "PRX_TOOLS__CUSTOM__GREET__COMMAND=echo",
      "PRX_TOOLS__CUSTOM__GREET__ENV__Lang=de",
      "PRX_MCP__SERVERS__FILES__URL=https://example.com",
  });
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->runtime.native.shell, "/bin/zsh");
  EXPECT_EQ(config->runtime.env_whitelist, std::vector<std::string>{"A"});
  EXPECT_EQ(config->runtime.docker.cpu_limit, 2.0);
  EXPECT_EQ(config->runtime.docker.memory_limit.value, 1ULL << 30U);
  EXPECT_FALSE(config->runtime.docker.auto_pull);
  EXPECT_EQ(config->runtime.native.env, (std::vector<EnvVar>{{"My__Name", "7"}}));
  EXPECT_EQ(config->runtime.tool_timeouts.at("mcp__files__read").count(), 9);
  EXPECT_EQ(std::get<1>(config->security.sandbox.allow_network), std::vector<std::string>{"pypi.org"});
  EXPECT_EQ(config->custom_tools.at("greet").command, "echo");
  EXPECT_EQ(config->custom_tools.at("greet").env, (std::vector<EnvVar>{{"Lang", "de"}}));
  EXPECT_EQ(config->mcp_servers.at("files").url, "https://example.com");
  EXPECT_EQ(config->origin_of("runtime.native.env.My__Name").describe(),
            "PRX_RUNTIME__NATIVE__ENV__My__Name");
}

TEST_F(ConfigLayers, OtherVariablesOfPrxAreNotKeys) {
  const auto config =
      load_variables({"PRX_LOG=debug", "PRX_RUNTIME=x", "PRX_FOO__BAR=x", "PRX__RUNTIME__BACKEND=x",
                      "APRX_RUNTIME__BACKEND=x", "PRX_RUNTIME__BACKEND"});
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_TRUE(config->origins.empty());
}

TEST_F(ConfigLayers, AMisspelledVariableIsAnErrorWithTheRightName) {
  const auto config = load_variables({"PRX_RUNTIME__BACKND=native"});
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().subject, "PRX_RUNTIME__BACKND");
  EXPECT_EQ(config.error().hint, "did you mean PRX_RUNTIME__BACKEND?");
}

TEST_F(ConfigLayers, SettingsAreTomlOrAString) {
  const auto config = load_settings({
      "runtime.backend=native",
      R"(runtime.native.shell="/bin/zsh")",
      "runtime.native.env.NUMBER=007",
      "runtime.native.env.TRUTH=true",
      "runtime.native.env.EMPTY=",
      "runtime.native.env.EQUALS=a=b",
      R"(runtime.native.env.QUOTED="a b")",
      R"(runtime.native.env.LIST=[1, 2])",
      R"(runtime.tool_timeouts."my = tool"=4)",
      R"toml(security.tool_policy.tools."shell(git push:*)"=deny)toml",
      "runtime.max_output_bytes=0x10",
      "security.sandbox.allow_network=true",
      "tools.custom.greet={command=\"echo\", args=[\"hi\"]}",
  });
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->runtime.backend, BackendChoice::native);
  EXPECT_EQ(config->runtime.native.shell, "/bin/zsh");
  EXPECT_EQ(value_of(*config, "runtime.native.env.NUMBER"), "\"007\"");
  EXPECT_EQ(value_of(*config, "runtime.native.env.TRUTH"), "\"true\"");
  EXPECT_EQ(value_of(*config, "runtime.native.env.EMPTY"), "\"\"");
  EXPECT_EQ(value_of(*config, "runtime.native.env.EQUALS"), "\"a=b\"");
  EXPECT_EQ(value_of(*config, "runtime.native.env.QUOTED"), "\"a b\"");
  EXPECT_EQ(value_of(*config, "runtime.native.env.LIST"), "\"[1, 2]\"");
  EXPECT_EQ(config->runtime.tool_timeouts.at("my = tool").count(), 4);
  EXPECT_EQ(config->security.tool_policy.tools.at("shell(git push:*)"), ToolRule::deny);
  EXPECT_EQ(config->runtime.max_output.value, 16U);
  EXPECT_TRUE(std::get<bool>(config->security.sandbox.allow_network));
  EXPECT_EQ(config->custom_tools.at("greet").args, std::vector<std::string>{"hi"});
}

TEST_F(ConfigLayers, AValueCannotBringFurtherKeys) {
  const auto config = load_settings({"runtime.native.env.A=1\nruntime.backend=\"docker\""});
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->runtime.backend, BackendChoice::automatic);
  EXPECT_EQ(config->runtime.native.env.at(0).value, "1\nruntime.backend=\"docker\"");
}

TEST_F(ConfigLayers, ABadSettingSaysWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {"runtime.backend", "has no '='"},
      {"=x", "is not a dotted key"},
      {"a b=x", "is not a dotted key"},
      {"a\n=x", "is not a dotted key"},
      {"[runtime]\nbackend=native", "is not a dotted key"},
      {"runtime.=x", "is not a dotted key"},
      {"foo.bar=1", "is not a key of prx"},
      {"runtime=1", "is a table"},
      {"runtime.env_whitelist=PATH", "wants a list"},
      {"runtime.default_timeout_secs=99999999999999999999", "wants a whole number"},
      {"runtime.default_timeout_secs=\"5\"", "wants a whole number"},
      {"runtime.native.shell=/bin/\xFF", "is not valid UTF-8"},
  };
  for (const auto& [setting, text] : cases) {
    const auto config = load_settings({setting});
    ASSERT_FALSE(config) << setting;
    EXPECT_EQ(config.error().kind, ErrorKind::invalid_request);
    EXPECT_EQ(config.error().subject, std::string("--set ") + setting);
    EXPECT_NE(config.error().detail.find(text), std::string::npos) << config.error().message();
    EXPECT_FALSE(config.error().hint.empty()) << setting;
  }
}

TEST_F(ConfigLayers, TheEnvironmentOfTheProcessIsRead) {
  ASSERT_EQ(::setenv("PRX_TEST_OF_CONFIG", "a=b", 1), 0);
  const auto from = ConfigSources::of_process();
  ::unsetenv("PRX_TEST_OF_CONFIG");
  const auto& variables = from.environment;
  EXPECT_NE(std::find(variables.begin(), variables.end(), "PRX_TEST_OF_CONFIG=a=b"), variables.end());
}

TEST_F(ConfigLayers, HomeIsExpandedAlsoInTheDefault) {
  const auto config = load_text("[security.sandbox]\nwritable_paths = [\"~\", \"~/x\", \"/a/~/b\"]\n");
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_EQ(config->runtime.wasm.module_path, home_ + "/.local/share/openprx/wasm/");
  const std::vector<std::string> expected{home_, home_ + "/x", "/a/~/b"};
  EXPECT_EQ(config->security.sandbox.writable_paths, expected);

  ConfigSources homeless = file_sources("runtime.wasm.module_path = \"~/x\"");
  homeless.environment.clear();
  const auto refused = load_config(homeless);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().detail.find("needs HOME"), std::string::npos) << refused.error().message();
}

TEST(ConfigEnums, HaveTheWordsOfTheFile) {
  EXPECT_EQ(to_string(BackendChoice::automatic), "auto");
  EXPECT_EQ(to_string(BackendChoice::wasm), "wasm");
  EXPECT_EQ(to_string(SandboxChoice::automatic), "auto");
  EXPECT_EQ(to_string(SandboxChoice::none), "none");
  EXPECT_EQ(to_string(DockerNetwork::host), "host");
  EXPECT_EQ(to_string(WasmEngine::wasmer), "wasmer");
  EXPECT_EQ(to_string(ToolRule::supervised), "supervised");
  EXPECT_EQ(to_string(ConfigLayer::built_in), "built-in");
  EXPECT_EQ(to_string(ConfigLayer::option), "option");
}

}  // namespace
}  // namespace prx::config
