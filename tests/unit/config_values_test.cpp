#include <limits>

#include "config/size_text.hpp"
#include "config_fixture.hpp"

namespace prx::config {
namespace {

using ConfigValues = ConfigTest;

/// A line of a file, and either the value that `config show` has for its key, or the error.
struct LineCase {
  const char* table;
  const char* line;
  const char* key;
  const char* shown;  ///< nullptr: refused
  const char* error = "";
};

TEST_F(ConfigValues, AreTakenUpToTheirLimitsAndRefusedPastThem) {
  const LineCase cases[] = {
      {"runtime", "backend = \"wasm\"", "runtime.backend", "\"wasm\""},
      {"runtime", "backend = \"Wasm\"", "runtime.backend", nullptr, "not one of"},
      {"runtime", "backend = \"\"", "runtime.backend", nullptr, "not one of"},
      {"runtime", "backend = 1", "runtime.backend", nullptr, "wants one of \"auto\""},
      {"runtime", "default_timeout_secs = 0", "runtime.default_timeout_secs", "0"},
      {"runtime", "default_timeout_secs = -1", "runtime.default_timeout_secs", nullptr, "-1 is less than 0"},
      {"runtime", "default_timeout_secs = 1000000000", "runtime.default_timeout_secs", "1000000000"},
      {"runtime", "default_timeout_secs = 1000000001", "runtime.default_timeout_secs", nullptr,
       "is more than"},
      {"runtime", "default_timeout_secs = 9223372036854775807", "runtime.default_timeout_secs", nullptr,
       "is more"},
      {"runtime", "default_timeout_secs = 9223372036854775808", "", nullptr, "is not TOML"},
      {"runtime", "default_timeout_secs = 1.0", "runtime.default_timeout_secs", nullptr,
       "not the fraction 1"},
      {"runtime", "default_timeout_secs = true", "runtime.default_timeout_secs", nullptr, "not true"},
      {"runtime", "default_timeout_secs = \"60\"", "runtime.default_timeout_secs", nullptr,
       "not the string \"60\""},
      {"runtime", "default_timeout_secs = 07:32:00", "runtime.default_timeout_secs", nullptr,
       "not a date or time"},
      {"runtime", "default_timeout_secs = []", "runtime.default_timeout_secs", nullptr, "not a list"},
      {"runtime", "default_timeout_secs = {}", "runtime.default_timeout_secs", nullptr, "not a table"},
      {"runtime", "max_output_bytes = 0", "runtime.max_output_bytes", "0"},
      {"runtime", "max_output_bytes = \"1k\"", "runtime.max_output_bytes", "1024"},
      {"runtime", "max_output_bytes = 1125899906842624", "runtime.max_output_bytes", "1125899906842624"},
      {"runtime", "max_output_bytes = 1125899906842625", "runtime.max_output_bytes", nullptr, "is more than"},
      {"runtime", "max_output_bytes = \"1024t\"", "runtime.max_output_bytes", "1125899906842624"},
      {"runtime", "max_output_bytes = \"1025t\"", "runtime.max_output_bytes", nullptr, "is not between"},
      {"runtime", "env_whitelist = []", "runtime.env_whitelist", "[]"},
      {"runtime", "env_whitelist = [\"A\"]", "runtime.env_whitelist", "[\"A\"]"},
      {"runtime", "env_whitelist = [\"\"]", "runtime.env_whitelist", nullptr, "is empty"},
      {"runtime", "env_whitelist = [\"A=B\"]", "runtime.env_whitelist", nullptr, "has a '='"},
      {"runtime", "env_whitelist = [\"A\\u0000\"]", "runtime.env_whitelist", nullptr, "NUL byte"},
      {"runtime", "env_whitelist = [1]", "runtime.env_whitelist", nullptr, "each item is a string"},
      {"runtime", "env_whitelist = \"PATH\"", "runtime.env_whitelist", nullptr, "wants a list"},
      {"runtime", "tool_timeouts = { shell = 5 }", "runtime.tool_timeouts.shell", "5"},
      {"runtime", "tool_timeouts = { shell = \"5\" }", "runtime.tool_timeouts.shell", nullptr,
       "wants a whole"},
      {"runtime", "tool_timeouts = { shell = -1 }", "runtime.tool_timeouts.shell", nullptr,
       "less than 0 seconds"},
      {"runtime", "tool_timeouts = { \"\" = 5 }", "runtime.tool_timeouts.\"\"", nullptr, "is empty"},
      {"runtime", "tool_timeouts = 5", "runtime.tool_timeouts", nullptr, "wants a table"},
      {"runtime.native", "shell = \"/bin/sh\"", "runtime.native.shell", "\"/bin/sh\""},
      {"runtime.native", "shell = \"sh\"", "runtime.native.shell", nullptr, "is not an absolute path"},
      {"runtime.native", "shell = \"\"", "runtime.native.shell", nullptr, "is empty"},
      {"runtime.native", "pool = 1024", "runtime.native.pool", "1024"},
      {"runtime.native", "pool = 1025", "runtime.native.pool", nullptr, "more than 1024"},
      {"runtime.native", "env = { A = \"\" }", "runtime.native.env.A", "\"\""},
      {"runtime.native", "env = { A = 1 }", "runtime.native.env.A", nullptr, "wants a string"},
      {"runtime.native", "env = { \"A=B\" = \"\" }", "runtime.native.env.\"A=B\"", nullptr, "has a '='"},
      {"runtime.native", "env = { \"A\\u0000\" = \"\" }", "runtime.native.env.\"A\\u0000\"", nullptr,
       "NUL byte"},
      {"runtime.docker", "image = \"a/b:c@sha256:1\"", "runtime.docker.image", "\"a/b:c@sha256:1\""},
      {"runtime.docker", "image = \"a b\"", "runtime.docker.image", nullptr, "has a blank"},
      {"runtime.docker", "image = \"--privileged\"", "runtime.docker.image", nullptr, "begins with a '-'"},
      {"runtime.docker", "socket = \"tcp://h:1\"", "runtime.docker.socket", "\"tcp://h:1\""},
      {"runtime.docker", "socket = \"tcp://\"", "runtime.docker.socket", nullptr, "neither"},
      {"runtime.docker", "socket = \"docker.sock\"", "runtime.docker.socket", nullptr, "neither"},
      {"runtime.docker", "memory_limit = \"6m\"", "runtime.docker.memory_limit", "\"6m\""},
      {"runtime.docker", "memory_limit = \"6291455\"", "runtime.docker.memory_limit", nullptr,
       "is not between 6m"},
      {"runtime.docker", "memory_limit = 6291456", "runtime.docker.memory_limit", "\"6m\""},
      {"runtime.docker", "memory_limit = \"256q\"", "runtime.docker.memory_limit", nullptr,
       "b, k, m, g or t"},
      {"runtime.docker", "memory_limit = \"-1m\"", "runtime.docker.memory_limit", nullptr, "is not a size"},
      {"runtime.docker", "memory_limit = 1.5", "runtime.docker.memory_limit", nullptr, "wants a size"},
      {"runtime.docker", "cpu_limit = \"1.5\"", "runtime.docker.cpu_limit", "\"1.5\""},
      {"runtime.docker", "cpu_limit = 2", "runtime.docker.cpu_limit", "\"2.0\""},
      {"runtime.docker", "cpu_limit = 0.25", "runtime.docker.cpu_limit", "\"0.25\""},
      {"runtime.docker", "cpu_limit = \"0.01\"", "runtime.docker.cpu_limit", "\"0.01\""},
      {"runtime.docker", "cpu_limit = \"0.009\"", "runtime.docker.cpu_limit", nullptr, "is not between"},
      {"runtime.docker", "cpu_limit = \"nan\"", "runtime.docker.cpu_limit", nullptr, "is not between"},
      {"runtime.docker", "cpu_limit = inf", "runtime.docker.cpu_limit", nullptr, "is not between"},
      {"runtime.docker", "cpu_limit = \"1.5x\"", "runtime.docker.cpu_limit", nullptr,
       "wants a number of CPUs"},
      {"runtime.docker", "pids_limit = 1", "runtime.docker.pids_limit", "1"},
      {"runtime.docker", "pids_limit = 0", "runtime.docker.pids_limit", nullptr, "less than 1"},
      {"runtime.docker", "network = \"bridge\"", "runtime.docker.network", "\"bridge\""},
      {"runtime.docker", "network = \"bridged\"", "runtime.docker.network", nullptr, "not one of"},
      {"runtime.docker", "mount_workspace = false", "runtime.docker.mount_workspace", "false"},
      {"runtime.docker", "mount_workspace = 0", "runtime.docker.mount_workspace", nullptr,
       "wants true or false"},
      {"runtime.docker", "workspace_mount_path = \"/w\"", "runtime.docker.workspace_mount_path", "\"/w\""},
      {"runtime.docker", "workspace_mount_path = \"//\"", "runtime.docker.workspace_mount_path", nullptr,
       "root"},
      {"runtime.docker", "workspace_mount_path = \"/a/..\"", "runtime.docker.workspace_mount_path", nullptr,
       ".."},
      {"runtime.docker", "workspace_mount_path = \"w\"", "runtime.docker.workspace_mount_path", nullptr,
       "absolute"},
      {"runtime.docker", "tool_images = { a = \"b\" }", "runtime.docker.tool_images.a", "\"b\""},
      {"runtime.docker", "tool_images = { a = \"\" }", "runtime.docker.tool_images.a", nullptr, "is empty"},
      {"runtime.wasm", "max_memory_mb = 65536", "runtime.wasm.max_memory_mb", "65536"},
      {"runtime.wasm", "max_memory_mb = 65537", "runtime.wasm.max_memory_mb", nullptr, "more than 65536 MiB"},
      {"runtime.wasm", "max_memory_mb = 0", "runtime.wasm.max_memory_mb", nullptr, "less than 1 MiB"},
      {"runtime.wasm", "max_memory_mb = \"1g\"", "runtime.wasm.max_memory_mb", nullptr,
       "wants a whole number"},
      {"runtime.wasm.capabilities", "filesystem_read = [\"/workspace\"]",
       "runtime.wasm.capabilities.filesystem_read", "[\"/workspace\"]"},
      {"runtime.wasm.capabilities", "filesystem_read = [\"x\"]", "runtime.wasm.capabilities.filesystem_read",
       nullptr, "is not an absolute path"},
      {"security.sandbox", "allow_network = true", "security.sandbox.allow_network", "true"},
      {"security.sandbox", "allow_network = [\"a.b\", \"*.c:443\", \"[::1]:80\", \"10.0.0.1\"]",
       "security.sandbox.allow_network", "[\"a.b\", \"*.c:443\", \"[::1]:80\", \"10.0.0.1\"]"},
      {"security.sandbox", "allow_network = [\"a:65535\"]", "security.sandbox.allow_network",
       "[\"a:65535\"]"},
      {"security.sandbox", "allow_network = [\"a:65536\"]", "security.sandbox.allow_network", nullptr,
       "no port"},
      {"security.sandbox", "allow_network = [\"a:0\"]", "security.sandbox.allow_network", nullptr, "no port"},
      {"security.sandbox", "allow_network = [\"a:\"]", "security.sandbox.allow_network", nullptr, "no port"},
      {"security.sandbox", "allow_network = [\"*\"]", "security.sandbox.allow_network", nullptr,
       "is not a host"},
      {"security.sandbox", "allow_network = [\"*.\"]", "security.sandbox.allow_network", nullptr,
       "no host name"},
      {"security.sandbox", "allow_network = [\"a.*\"]", "security.sandbox.allow_network", nullptr,
       "is not a host"},
      {"security.sandbox", "allow_network = [\"[::1\"]", "security.sandbox.allow_network", nullptr,
       "has no ']'"},
      {"security.sandbox", "allow_network = [\"https://a\"]", "security.sandbox.allow_network", nullptr,
       "is a URL"},
      {"security.sandbox", "allow_network = \"true\"", "security.sandbox.allow_network", nullptr,
       "wants true, false"},
      {"security.sandbox", "allow_network = 1", "security.sandbox.allow_network", nullptr,
       "wants true, false"},
      {"security.sandbox", "writable_paths = [\"./x\"]", "security.sandbox.writable_paths", nullptr,
       "absolute"},
      {"security.sandbox", "hidden_paths = [\"**/.env\"]", "security.sandbox.hidden_paths", "[\"**/.env\"]"},
      {"security.sandbox", "protected_paths = [\".x/y\"]", "security.sandbox.protected_paths", "[\".x/y\"]"},
      {"security.sandbox", "protected_paths = [\"a/../../b\"]", "security.sandbox.protected_paths", nullptr,
       "out of"},
      {"security.sandbox", "protected_paths = [\"..a/b..\"]", "security.sandbox.protected_paths",
       "[\"..a/b..\"]"},
      {"security.sandbox", "protected_paths = [\"/etc\"]", "security.sandbox.protected_paths", nullptr,
       "absolute"},
      {"security.resources", "max_subprocesses = 4194304", "security.resources.max_subprocesses", "4194304"},
      {"security.resources", "max_subprocesses = 4194305", "security.resources.max_subprocesses", nullptr,
       "more than"},
      {"security.resources", "max_memory_mb = 1073741824", "security.resources.max_memory_mb", "1073741824"},
      {"security.resources", "max_memory_mb = 1073741825", "security.resources.max_memory_mb", nullptr,
       "more than"},
      {"security.tool_policy", "default = \"deny\"", "security.tool_policy.default", "\"deny\""},
      {"security.tool_policy", "tools = { x = \"ask\" }", "security.tool_policy.tools.x", nullptr,
       "not one of"},
      {"security.audit", "path = \"/var/log/prx\"", "security.audit.path", "\"/var/log/prx\""},
      {"security.audit", "path = \"log\"", "security.audit.path", nullptr, "absolute"},
  };
  for (const LineCase& it : cases) {
    const auto config = load_text(std::string("[") + it.table + "]\n" + it.line + "\n");
    if (it.shown != nullptr) {
      ASSERT_TRUE(config) << it.line << "\n" << config.error().message();
      EXPECT_EQ(value_of(*config, it.key), it.shown) << it.line;
      continue;
    }
    ASSERT_FALSE(config) << it.line;
    const Error& error = config.error();
    EXPECT_EQ(error.kind, ErrorKind::invalid_request);
    EXPECT_EQ(error.step, "config");
    EXPECT_TRUE(error.subject.starts_with(place("2:"))) << error.subject;
    EXPECT_TRUE(error.detail.starts_with(it.key)) << error.detail;
    EXPECT_NE(error.detail.find(it.error), std::string::npos) << it.line << "\n" << error.detail;
    EXPECT_FALSE(error.hint.empty()) << it.line;
  }
}

TEST_F(ConfigValues, ToolsAndServersAreRead) {
  const auto config = load_text(R"(
[tools.custom.greet]
type = "docker"
image = "alpine"
command = "echo"
args = ["hello", ""]
timeout_secs = 7
description = "says \"hi\""
env = { A = "b" }
[tools.custom.greet.parameters]
type = "object"
required = ["name", 1, 2.5, true]
properties.name.type = "string\u0001"
[mcp.servers.files]
command = "npx"
args = ["-y"]
env.TOKEN = "t"
transport = "stdio"
runtime = "auto"
allow_tools = ["read"]
deny_tools = ["write"]
tool_name_prefix = "f_"
[mcp.servers.web]
url = "https://example.com/mcp"
transport = "sse"
)");
  ASSERT_TRUE(config) << config.error().message();
  const CustomToolConfig& tool = config->custom_tools.at("greet");
  EXPECT_EQ(tool.type, BackendChoice::docker);
  EXPECT_EQ(tool.image, "alpine");
  EXPECT_EQ(tool.args, (std::vector<std::string>{"hello", ""}));
  EXPECT_EQ(tool.timeout, std::chrono::seconds(7));
  EXPECT_EQ(tool.description, "says \"hi\"");
  EXPECT_EQ(
      tool.parameters_json,
      R"({"properties":{"name":{"type":"string\u0001"}},"required":["name",1,2.5,true],"type":"object"})");
  EXPECT_EQ(tool.env, (std::vector<EnvVar>{{"A", "b"}}));
  const McpServerConfig& files = config->mcp_servers.at("files");
  EXPECT_EQ(files.runtime, BackendChoice::automatic);
  EXPECT_EQ(files.env, (std::vector<EnvVar>{{"TOKEN", "t"}}));
  EXPECT_EQ(files.deny_tools, std::vector<std::string>{"write"});
  EXPECT_EQ(config->mcp_servers.at("web").transport, "sse");
  EXPECT_FALSE(config->mcp_servers.at("web").runtime.has_value());
  EXPECT_EQ(config->origin_of("tools.custom.greet").describe(), place("2:15"));
  EXPECT_EQ(config->origin_of("mcp.servers.files.env.TOKEN").describe(), place("17:5"));
}

TEST_F(ConfigValues, ParametersMustHaveJson) {
  for (const char* value : {"1979-05-27", "inf", "nan", "[1, -inf]"}) {
    const std::string text =
        std::string("[tools.custom.x]\ncommand = \"c\"\n[tools.custom.x.parameters]\na = ") + value;
    const auto config = load_text(text);
    ASSERT_FALSE(config) << value;
    EXPECT_TRUE(config.error().detail.starts_with("tools.custom.x.parameters: ")) << config.error().detail;
    EXPECT_NE(config.error().detail.find("has no JSON"), std::string::npos) << config.error().detail;
    EXPECT_TRUE(config.error().subject.starts_with(place("4:"))) << config.error().subject;
  }
}

TEST(ConfigSizes, AreReadAndWritten) {
  const std::pair<const char*, std::uint64_t> good[] = {
      {"0", 0},
      {"4096", 4096},
      {"7b", 7},
      {"512k", 512 << 10},
      {"256m", 256 << 20},
      {"256M", 256 << 20},
      {"1GiB", 1 << 30},
      {"1gb", 1 << 30},
      {"16777215t", 16777215ULL << 40U},
      {"18446744073709551615", std::numeric_limits<std::uint64_t>::max()}};
  for (const auto& [text, value] : good) {
    const auto size = parse_size(text);
    ASSERT_TRUE(size) << text;
    EXPECT_EQ(size->value, value) << text;
    EXPECT_EQ(parse_size(format_size(*size)), size) << text;
  }
  for (const char* text : {"", "m", "-1", "+1", " 1", "1 m", "1.5g", "1mm", "1ib", "1bb", "1mi", "0x10",
                           "16777216t", "18446744073709551616", "1p"}) {
    EXPECT_FALSE(parse_size(text)) << text;
  }
  EXPECT_EQ(format_size({1 << 20}), "1m");
  EXPECT_EQ(format_size({(1 << 20) + 1}), "1048577");
}

}  // namespace
}  // namespace prx::config
