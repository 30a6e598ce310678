#include <sys/stat.h>

#include <chrono>

#include "config_fixture.hpp"

namespace prx::config {
namespace {

using ConfigErrors = ConfigTest;

TEST_F(ConfigErrors, AnUnknownKeyNamesTheOneThatWasMeant) {
  struct Case {
    const char* text;
    const char* place;
    const char* key;
    const char* hint;
  };
  const Case cases[] = {
      {"[runtime]\nbackand = 1", "2:1", "runtime.backand", "did you mean runtime.backend?"},
      {"[runtime]\nBackend = 1", "2:1", "runtime.Backend", "did you mean runtime.backend?"},
      {"[runtime]\n  timeout = 1", "2:3", "runtime.timeout", "did you mean runtime.default_timeout_secs?"},
      {"[runtime]\nimage = 1", "2:1", "runtime.image", "did you mean runtime.docker.image?"},
      {"[runtime]\nenv-whitelist = 1", "2:1", "runtime.env-whitelist", "did you mean runtime.env_whitelist?"},
      {"[runtime]\nsandbox = 1", "2:1", "runtime.sandbox", "did you mean security.sandbox?"},
      {"[runtime]\nqqqqq = 1", "2:1", "runtime.qqqqq",
       "the keys of [runtime] are backend, default_timeout_secs, max_output_bytes, env_whitelist, "
       "tool_timeouts, native, docker, wasm"},
      {"[runtime.natvie]\nshell = 1", "1:10", "runtime.natvie", "did you mean runtime.native?"},
      {"[runtime.wasm.capabilities]\nnetwrok = 1", "2:1", "runtime.wasm.capabilities.netwrok",
       "did you mean runtime.wasm.capabilities.network?"},
      {"[runtime]\n\"native.shell\" = 1", "2:1", "runtime.\"native.shell\"",
       "did you mean runtime.native.shell?"},
      {"[security]\nsandbx.backend = \"none\"", "2:1", "security.sandbx", "did you mean security.sandbox?"},
      {"[tools.custm.x]\ncommand = 1", "1:8", "tools.custm", "did you mean tools.custom?"},
      {"[tools.custom.x]\ncommnd = 1", "2:1", "tools.custom.x.commnd",
       "did you mean tools.custom.x.command?"},
      {"[mcp]\nserver = 1", "2:1", "mcp.server", "did you mean mcp.servers?"},
      {"[mcp.servers.\"a b\"]\nurll = 1", "2:1", "mcp.servers.\"a b\".urll",
       "did you mean mcp.servers.\"a b\".url?"},
  };
  for (const Case& it : cases) {
    const auto config = load_text(it.text);
    ASSERT_FALSE(config) << it.text;
    EXPECT_EQ(config.error().subject, place(it.place)) << it.text;
    EXPECT_TRUE(config.error().detail.starts_with(std::string(it.key) + ": there is no key "))
        << config.error().detail;
    EXPECT_EQ(config.error().hint, it.hint) << it.text;
  }
}

TEST_F(ConfigErrors, TablesOfTheAgentAreNotedAndNotRefused) {
  const ConfigSources from =
      file_sources("default_model = \"x\"\n[agent]\nbackend = 1\n[runtim]\n[sandbox]\n");
  EXPECT_TRUE(load_config(from));
  const auto report = check_config(from);
  ASSERT_EQ(report.findings.size(), 4U);
  for (const ConfigFinding& finding : report.findings) EXPECT_FALSE(finding.error);
  EXPECT_EQ(report.findings[0].key, "default_model");
  EXPECT_EQ(report.findings[1].where.describe(), place("2:2"));
  EXPECT_EQ(report.findings[2].hint, "did you mean [runtime]?");
  EXPECT_EQ(report.findings[3].hint, "did you mean security.sandbox?");
}

TEST_F(ConfigErrors, ATableMustBeATable) {
  for (const char* text : {"runtime = 1", "[[runtime]]\n", "security.sandbox = \"none\"", "tools = []",
                           "tools.custom = 1", "tools.custom.x = 1", "mcp.servers = [\"x\"]"}) {
    const auto config = load_text(text);
    ASSERT_FALSE(config) << text;
    EXPECT_NE(config.error().detail.find("is a table"), std::string::npos) << config.error().detail;
    EXPECT_NE(config.error().hint.find("and its keys below it"), std::string::npos);
  }
}

TEST_F(ConfigErrors, AllAreReportedFromTopToBottom) {
  const ConfigSources from = file_sources(
      "[security.sandbox]\nbackend = 1\n[runtime]\nmax_output_bytes = -1\nbackend = \"x\"\n[other]\n");
  const auto config = load_config(from);
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().subject, place("2:11"));
  EXPECT_TRUE(config.error().detail.ends_with(" (and 2 more)")) << config.error().detail;

  const auto report = check_config(from);
  std::vector<std::string> keys;
  for (const ConfigFinding& finding : report.findings) keys.push_back(finding.key);
  const std::vector<std::string> expected{"security.sandbox.backend", "runtime.max_output_bytes",
                                          "runtime.backend", "other"};
  EXPECT_EQ(keys, expected);
}

TEST_F(ConfigErrors, AWrongValueIsAnErrorAlsoUnderALayerThatReplacesIt) {
  ConfigSources from = file_sources("runtime.backend = \"natve\"");
  from.settings = {"runtime.backend=native"};
  EXPECT_FALSE(load_config(from));
}

TEST_F(ConfigErrors, TextsThatAreNotToml) {
  struct Case {
    std::string text;
    const char* place;
  };
  const Case cases[] = {
      {"[runtime\nbackend = 1", "1:"},
      {"[runtime]\nbackend = ", "2:"},
      {"[runtime]\nbackend = native", "2:"},
      {"[runtime]\nbackend = \"auto\"\nbackend = \"auto\"", "3:"},
      {"[runtime]\n[runtime]", "2:"},
      {"[runtime]\nnative = 1\n[runtime.native]", "3:"},
      {"a = \"\xFF\"", "1:"},
      {"a = \"\xED\xA0\x80\"", "1:"},
      {std::string("a = 1\n\0 b = 2", 13), "2:"},
      {"a = \"x\ny\"", "1:"},
      {"[\x11]", "1:"},
      {"a = 1 é", "1:"},
      {"a = '' ΢", "1:"},
      {std::string(10000, '['), "1:"},
      {"a = " + std::string(10000, '['), "1:"},
      {"a = " + std::string(1000, '[') + std::string(1000, ']'), "1:"},
  };
  for (const Case& it : cases) {
    const auto config = load_text(it.text);
    ASSERT_FALSE(config) << it.text;
    EXPECT_TRUE(config.error().subject.starts_with(place(it.place))) << it.text << "\n"
                                                                     << config.error().message();
    EXPECT_TRUE(config.error().detail.starts_with("is not TOML: ")) << config.error().detail;
  }
}

TEST_F(ConfigErrors, KeysOfManyPartsAreRefusedBeforeTheyAreTables) {
  const auto parts = [](std::size_t count) {
    std::string key = "a";
    for (std::size_t i = 1; i < count; ++i) key += ".a";
    return key;
  };
  EXPECT_TRUE(load_text(parts(32) + " = 1"));
  EXPECT_TRUE(load_text("[" + parts(32) + "]"));
  EXPECT_TRUE(load_text("# " + parts(99) + "\na = \"" + parts(99) + "\"\nb = '''\n" + parts(99) + "'''\n"));
  EXPECT_TRUE(load_text("a = \"\\\"" + parts(99) + "\"\nb = '\\'\nc = \"\"\"\"" + parts(99) + "\"\"\"\n"));
  EXPECT_TRUE(
      load_text("a = [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, "
                "1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0]"));
  for (const std::string& text : {parts(33) + " = 1", "[" + parts(33) + "]", "a = { " + parts(33) + " = 1 }",
                                  "'x'=''\n" + parts(400000) + " = 1", "[[" + parts(400000) + "]]"}) {
    const auto config = load_text(text);
    ASSERT_FALSE(config) << text.substr(0, 100);
    EXPECT_EQ(config.error().detail, "is not TOML: a key of more than 32 parts");
  }
  EXPECT_FALSE(load_settings({parts(33) + "=1"}));
}

TEST_F(ConfigErrors, AMegabyteOfAnythingEndsSoon) {
  const auto repeated = [](std::string_view piece) {
    std::string text;
    while (text.size() + piece.size() <= (1U << 20U)) text += piece;
    return text;
  };
  std::string keys;
  for (int i = 0; keys.size() < 1000000; ++i) keys += "k" + std::to_string(i) + " = 1\n";
  std::string tables;
  for (int i = 0; tables.size() < 1000000; ++i) tables += "[runtime.k" + std::to_string(i) + "]\n";
  const std::string texts[] = {repeated("a"),
                               repeated("["),
                               repeated("{a="),
                               repeated("\n"),
                               repeated("'"),
                               repeated("\"\"\""),
                               keys,
                               "[runtime]\n" + keys,
                               repeated("[[a]]\n"),
                               tables,
                               "a = [" + repeated("1,").substr(0, 1048000) + "]"};
  for (const std::string& text : texts) {
    const auto start = std::chrono::steady_clock::now();
    (void)check_config(file_sources(text));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20)) << text.substr(0, 40);
  }
}

TEST_F(ConfigErrors, FilesThatCannotBeTheConfiguration) {
  const auto refusal = [&](const std::string& file) {
    ConfigSources from = sources();
    from.file = file;
    auto config = load_config(from);
    EXPECT_FALSE(config) << file;
    return config ? Error{} : std::move(config).error();
  };
  EXPECT_EQ(refusal(path("missing.toml")).os_errno, ENOENT);
  EXPECT_EQ(refusal(path("missing.toml")).message(),
            "config: " + path("missing.toml") + ": cannot be opened (No such file or directory)");
  EXPECT_EQ(refusal(home_).detail, "is a directory, not a file");
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  EXPECT_EQ(refusal(path("fifo")).detail, "is a pipe, not a file");
  EXPECT_EQ(refusal("/dev/zero").detail, "is a device, not a file");
  EXPECT_EQ(refusal(path("config.toml/x")).os_errno, ENOENT);
  EXPECT_EQ(refusal(write("plain", "") + "/x").os_errno, ENOTDIR);
  ASSERT_EQ(::symlink("loop", path("loop").c_str()), 0);
  EXPECT_EQ(refusal(path("loop")).os_errno, ELOOP);
  EXPECT_NE(refusal("").detail.find("is empty"), std::string::npos);
  EXPECT_NE(refusal(std::string("a\0b", 3)).detail.find("NUL byte"), std::string::npos);
  for (const char* name : {"missing.toml", "fifo"}) EXPECT_FALSE(refusal(path(name)).hint.empty()) << name;
}

TEST_F(ConfigErrors, AFileOfTheLargestSizeIsReadAndOneByteMoreIsNot) {
  const std::string comment = "runtime.backend = \"native\"\n#";
  const auto largest = load_text(comment + std::string((1U << 20U) - comment.size(), 'x'));
  ASSERT_TRUE(largest) << largest.error().message();
  EXPECT_EQ(largest->runtime.backend, BackendChoice::native);
  const auto larger = load_text(comment + std::string((1U << 20U) - comment.size() + 1, 'x'));
  ASSERT_FALSE(larger);
  EXPECT_NE(larger.error().detail.find("is larger than 1048576 bytes"), std::string::npos);
}

TEST_F(ConfigErrors, TheNullDeviceIsAnEmptyConfiguration) {
  ConfigSources from = sources();
  from.file = "/dev/null";
  const auto config = load_config(from);
  ASSERT_TRUE(config) << config.error().message();
  EXPECT_TRUE(config->origins.empty());
}

TEST_F(ConfigErrors, ADefaultFileThatIsNoFileIsNotPassedOver) {
  std::filesystem::create_directories(path(".config/openprx/config.toml"));
  EXPECT_FALSE(load_config(sources()));
  std::filesystem::remove_all(path(".config/openprx"));
  EXPECT_TRUE(load_config(sources()));
}

TEST_F(ConfigErrors, CheckReportsAMissingFileWithItsReason) {
  ConfigSources from = sources();
  from.file = path("missing.toml");
  const auto report = check_config(from);
  EXPECT_EQ(report.file, path("missing.toml"));
  EXPECT_FALSE(report.file_exists);
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_TRUE(report.findings[0].error);
  EXPECT_EQ(report.findings[0].text, "cannot be opened: No such file or directory");
}

TEST_F(ConfigErrors, MessagesHaveNoControlCharacters) {
  const auto config = load_text("[runtime]\nbackend = \"\\u001b[31m\\u0007\"\n\"\\u001b[2J\" = 1\n");
  ASSERT_FALSE(config);
  const auto report =
      check_config(file_sources("[runtime]\nbackend = \"\\u001b[31m\"\n\"\\u001b[2J\" = 1\n"));
  ASSERT_EQ(report.findings.size(), 2U);
  for (const ConfigFinding& finding : report.findings) {
    for (const char c : finding.key + finding.text + finding.hint) EXPECT_NE(c, '\x1b') << finding.text;
  }
}

TEST_F(ConfigErrors, ALongValueIsCutInTheMessage) {
  const auto config = load_text("[runtime]\nbackend = \"" + std::string(79, 'a') + "ééééé\"\n");
  ASSERT_FALSE(config);
  EXPECT_NE(config.error().detail.find(std::string(79, 'a') + "\"…"), std::string::npos)
      << config.error().detail;
}

}  // namespace
}  // namespace prx::config
