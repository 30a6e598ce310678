#include "config_fixture.hpp"

namespace prx::config {
namespace {

using ConfigCombinations = ConfigTest;

constexpr const char* kBridge = "[runtime.docker]\nnetwork = \"bridge\"\n";
constexpr const char* kHost = "[runtime.docker]\nnetwork = \"host\"\n";
constexpr const char* kModuleNetwork = "[runtime.wasm.capabilities]\nnetwork = true\n";

std::string allow_network(const char* value) {
  return std::string("[security.sandbox]\nallow_network = ") + value + "\n";
}

TEST_F(ConfigCombinations, ANetworkThatThePolicyDeniesIsAnErrorNamingBothLines) {
  const auto config = load_text(kBridge + allow_network("false"));
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().subject, place("2:1"));
  EXPECT_EQ(config.error().detail, "runtime.docker.network: contradicts security.sandbox.allow_network (" +
                                       place("4:1") +
                                       "): a container would have a network that the policy denies");
}

TEST_F(ConfigCombinations, NetworkPairs) {
  struct Case {
    const char* backend;
    std::string policy;
    bool good;
  };
  const Case cases[] = {
      {kBridge, "", true},  // a set key beats a default
      {"", allow_network("false"), true},
      {"[runtime.docker]\nnetwork = \"none\"\n", allow_network("false"), true},
      {"[runtime.docker]\nnetwork = \"none\"\n", allow_network("true"), true},  // stricter than the policy
      {kBridge, allow_network("true"), true},
      {kBridge, allow_network("[\"a.b\"]"), true},
      {kBridge, allow_network("[]"), false},  // an empty list denies all
      {kHost, allow_network("true"), true},
      {kHost, allow_network("[\"a.b\"]"), false},
      {kHost, allow_network("false"), false},
      {kModuleNetwork, "", true},
      {kModuleNetwork, allow_network("true"), true},
      {kModuleNetwork, allow_network("false"), false},
      {"[runtime.wasm.capabilities]\nnetwork = false\n", allow_network("false"), true},
  };
  for (const Case& it : cases)
    EXPECT_EQ(load_text(it.backend + it.policy).has_value(), it.good) << it.backend << it.policy;
}

TEST_F(ConfigCombinations, ContradictionsAreFoundAcrossLayers) {
  ConfigSources from = file_sources(allow_network("false"));
  EXPECT_TRUE(load_config(from));
  from.settings = {"runtime.docker.network=host"};
  const auto config = load_config(from);
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().subject, "--set runtime.docker.network=host");
  EXPECT_NE(config.error().detail.find(place("2:1")), std::string::npos) << config.error().detail;
  from.settings.emplace_back("security.sandbox.allow_network=true");
  EXPECT_TRUE(load_config(from));
}

TEST_F(ConfigCombinations, NothingCanBeRequiredOfNoSandbox) {
  const std::string require = "[security.sandbox]\nrequire = [\"metadata\"]\n";
  EXPECT_TRUE(load_text(require));
  EXPECT_TRUE(load_text(require + "backend = \"landlock\"\n"));
  EXPECT_TRUE(load_text("[security.sandbox]\nrequire = []\nbackend = \"none\"\n"));
  EXPECT_FALSE(load_text(require + "backend = \"none\"\n"));
}

struct TableCase {
  const char* body;
  const char* error;  ///< nullptr: right
};

TEST_F(ConfigCombinations, AToolHasWhatItsTypeNeeds) {
  const TableCase cases[] = {
      {"command = \"x\"", nullptr},
      {"type = \"native\"\ncommand = \"x\"", nullptr},
      {"type = \"docker\"\nimage = \"x\"\nargs = [\"ls\"]", nullptr},
      {"command = \"x\"\nimage = \"y\"", nullptr},
      {"type = \"docker\"\ncommand = \"x\"", nullptr},
      {"type = \"docker\"\ncommand = \"x\"\nimage = \"y\"", nullptr},
      {"type = \"wasm\"\nmodule = \"x\"", nullptr},
      {"", "tools.custom.t: has no command"},
      {"type = \"native\"", "tools.custom.t: has no command"},
      {"type = \"docker\"\nimage = \"x\"", "tools.custom.t: has neither command nor args"},
      {"type = \"docker\"", "tools.custom.t: has neither command nor args"},
      {"type = \"wasm\"", "tools.custom.t: has no module"},
      {"command = \"x\"\nmodule = \"y\"", "tools.custom.t.module: a tool of type \"native\" has no module"},
      {"type = \"native\"\ncommand = \"x\"\nimage = \"y\"",
       "tools.custom.t.image: a tool of type \"native\" has no image"},
      {"type = \"wasm\"\nmodule = \"x\"\ncommand = \"y\"", "tools.custom.t.command: a tool of type \"wasm\""},
      {"type = \"wasm\"\nmodule = \"x\"\nimage = \"y\"", "tools.custom.t.image: a tool of type \"wasm\""},
      {"type = \"docker\"\nimage = \"x\"\ncommand = \"z\"\nmodule = \"y\"",
       "tools.custom.t.module: a tool of type \"docker\""},
      {"type = \"auto\"\ncommand = \"x\"", "tools.custom.t.type: \"auto\" is not one of"},
      {"commnd = \"x\"", "tools.custom.t.commnd: there is no key"},
  };
  for (const TableCase& it : cases) {
    const auto config = load_text(std::string("[tools.custom.t]\n") + it.body);
    if (it.error == nullptr) {
      EXPECT_TRUE(config) << it.body;
      continue;
    }
    ASSERT_FALSE(config) << it.body;
    EXPECT_TRUE(config.error().detail.starts_with(it.error)) << it.body << "\n" << config.error().detail;
    EXPECT_EQ(config.error().detail.find(" more)"), std::string::npos) << config.error().detail;
  }
}

TEST_F(ConfigCombinations, AServerIsLocalOrRemote) {
  const TableCase cases[] = {
      {"command = \"x\"", nullptr},
      {"command = \"x\"\ntransport = \"stdio\"\nargs = [\"y\"]\nenv.A = \"b\"\nruntime = \"docker\"",
       nullptr},
      {"url = \"http://x\"", nullptr},
      {"url = \"http://x\"\ntransport = \"http\"", nullptr},
      {"url = \"http://x\"\ntransport = \"sse\"\nallow_tools = [\"a\"]\ndeny_tools = [\"b\"]", nullptr},
      {"", "mcp.servers.s: has neither command nor url"},
      {"command = \"x\"\nurl = \"http://x\"", "mcp.servers.s.url: contradicts mcp.servers.s.command"},
      {"command = \"x\"\ntransport = \"http\"", "mcp.servers.s.transport: contradicts mcp.servers.s.command"},
      {"url = \"http://x\"\ntransport = \"stdio\"", "mcp.servers.s.transport: contradicts mcp.servers.s.url"},
      {"url = \"http://x\"\ntransport = \"pigeon\"", "mcp.servers.s.transport: \"pigeon\" is not"},
      {"url = \"http://x\"\nargs = [\"y\"]", "mcp.servers.s.args: contradicts mcp.servers.s.url"},
      {"url = \"http://x\"\nenv.A = \"y\"", "mcp.servers.s.env: contradicts mcp.servers.s.url"},
      {"url = \"http://x\"\nruntime = \"docker\"", "mcp.servers.s.runtime: contradicts mcp.servers.s.url"},
      {"command = \"x\"\nallow_tools = [\"a\", \"b\"]\ndeny_tools = [\"b\"]",
       "mcp.servers.s.deny_tools: contradicts mcp.servers.s.allow_tools"},
  };
  for (const TableCase& it : cases) {
    const auto config = load_text(std::string("[mcp.servers.s]\n") + it.body);
    if (it.error == nullptr) {
      EXPECT_TRUE(config) << it.body;
      continue;
    }
    ASSERT_FALSE(config) << it.body;
    EXPECT_TRUE(config.error().detail.starts_with(it.error)) << it.body << "\n" << config.error().detail;
    EXPECT_EQ(config.error().detail.find(" more)"), std::string::npos) << config.error().detail;
    EXPECT_FALSE(config.error().subject == "built-in") << it.body;
  }
}

TEST_F(ConfigCombinations, NamesOfToolsAndServersAreNotEmpty) {
  for (const char* table : {"[tools.custom.\"\"]", "[tools.custom.\"a\\u0000\"]", "[mcp.servers.\"\\n\"]"}) {
    const auto config = load_text(std::string(table) + "\ncommand = \"x\"");
    ASSERT_FALSE(config) << table;
    EXPECT_NE(config.error().detail.find("the name \""), std::string::npos) << config.error().detail;
  }
  EXPECT_TRUE(load_text("[tools.custom.\"a tool, ünïcödé\"]\ncommand = \"x\""));
}

}  // namespace
}  // namespace prx::config
