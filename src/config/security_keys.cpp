#include <array>

#include "config/define_key.hpp"
#include "config/enums.hpp"
#include "config/schema.hpp"
#include "config/text_checks.hpp"

namespace prx::config {

namespace {

constexpr std::array kSecurityKeys{
    key<&SecurityConfig::sandbox, &SandboxConfig::backend>(
        {"sandbox.backend", rules::choice(kSandboxWords), R"("auto")", Start::written,
         "What confines native commands. \"auto\" takes the first kind that works here; \"none\" is the bare "
         "process."}),
    key<&SecurityConfig::sandbox, &SandboxConfig::allow_network>(
        {"sandbox.allow_network", rules::text("true, false or a list of hosts", checks::host), "false",
         Start::set_matters,
         "The network of commands, on every backend: none, all, or hosts such as \"pypi.org\", "
         "\"localhost:8080\", \"*.github.com\"."}),
    key<&SecurityConfig::sandbox, &SandboxConfig::writable_paths>(
        {"sandbox.writable_paths",
         rules::path("a list of absolute paths, or ones below ~/", checks::absolute_path), R"(["/tmp"])",
         Start::written,
         "Writable besides the workspace. /tmp means the command's own /tmp; a path below it, the host's."}),
    key<&SecurityConfig::sandbox, &SandboxConfig::readonly_paths>(
        {"sandbox.readonly_paths",
         rules::path("a list of absolute paths, or ones below ~/", checks::absolute_path), "[]",
         Start::written, "Visible and never writable, also inside the workspace."}),
    key<&SecurityConfig::sandbox, &SandboxConfig::hidden_paths>(
        {"sandbox.hidden_paths", rules::path("a list of paths or patterns", checks::not_empty), "[]",
         Start::written, "Not visible: paths, or patterns such as \"**/.env\"."}),
    key<&SecurityConfig::sandbox, &SandboxConfig::protected_paths>(
        {"sandbox.protected_paths", rules::text("a list of paths in the workspace", checks::workspace_path),
         R"([".git/hooks", ".git/config", ".envrc", ".vscode", ".idea", ".mcp.json", ".claude", ".codex", ".cursor", ".prx.toml"])",
         Start::written, "Read-only in the workspace: what other programs would run or trust later."}),
    key<&SecurityConfig::sandbox, &SandboxConfig::allow_root_id>(
        {"sandbox.allow_root_id", rules::boolean(), "false", Start::written,
         "As root, let a command keep root's id where a file system cannot be id-mapped. Weaker; warned "
         "about."}),
    key<&SecurityConfig::sandbox, &SandboxConfig::require>(
        {"sandbox.require", rules::text("a list of guarantees", checks::name), "[]", Start::written,
         "Guarantees without which nothing is started, for example \"metadata\"."}),
    key<&SecurityConfig::sandbox, &SandboxConfig::share_tmp>(
        {"sandbox.share_tmp", rules::boolean(), "false", Start::written,
         "Give commands the host's /tmp instead of one of their own."}),
    key<&SecurityConfig::sandbox, &SandboxConfig::ssh_agent>(
        {"sandbox.ssh_agent", rules::boolean(), "false", Start::written,
         "Let commands use the ssh agent that SSH_AUTH_SOCK names: to sign with your keys, not to read "
         "them."}),

    key<&SecurityConfig::resources, &ResourceConfig::max_memory>(
        {"resources.max_memory_mb", rules::mebibytes(0), "2048", Start::set_matters,
         "Memory of a command with all its processes. 0: no limit. A limit that is set must be enforced; a "
         "default is enforced where it can be."}),
    key<&SecurityConfig::resources, &ResourceConfig::max_cpu_time>(
        {"resources.max_cpu_time_seconds", rules::seconds(), "60", Start::set_matters,
         "CPU time of a command. 0: no limit."}),
    key<&SecurityConfig::resources, &ResourceConfig::max_subprocesses>(
        {"resources.max_subprocesses", rules::count(0, 1LL << 22U), "256", Start::set_matters,
         "Processes and threads of a command. 0: no limit."}),
    key<&SecurityConfig::resources, &ResourceConfig::max_open_files>(
        {"resources.max_open_files", rules::count(0, 1LL << 30U), "1024", Start::set_matters,
         "Open files of each process. 0: no limit."}),
    key<&SecurityConfig::resources, &ResourceConfig::max_file_size>(
        {"resources.max_file_size_mb", rules::mebibytes(0), "0", Start::set_matters,
         "The largest file a command may write. 0: no limit."}),

    key<&SecurityConfig::tool_policy, &ToolPolicyConfig::default_rule>(
        {"tool_policy.default", rules::choice(kToolRuleWords), R"("allow")", Start::written,
         "What holds for a tool that no entry below names. \"supervised\" asks."}),
    key<&SecurityConfig::tool_policy, &ToolPolicyConfig::ask_timeout>(
        {"tool_policy.ask_timeout_secs", rules::seconds(), "60", Start::written,
         "How long an answer to what is supervised is waited for. None by then is a denial."}),
    key<&SecurityConfig::tool_policy, &ToolPolicyConfig::groups>(
        {"tool_policy.groups",
         rules::table_of_choices("a table of tool groups, each with", checks::name, kToolRuleWords),
         R"(network = "supervised")", Start::example, "Rules for groups of tools."}),
    key<&SecurityConfig::tool_policy, &ToolPolicyConfig::tools>(
        {"tool_policy.tools",
         rules::table_of_choices("a table of tools or call patterns, each with", checks::name,
                                 kToolRuleWords),
         R"toml("shell(git push:*)" = "deny")toml", Start::example,
         "Rules for single tools, or for calls: \"greet\", \"shell(git push:*)\", \"mcp__server__tool\"."}),

    key<&SecurityConfig::audit, &AuditConfig::enabled>(
        {"audit.enabled", rules::boolean(), "false", Start::written,
         "Write a line for each decision and each execution."}),
    key<&SecurityConfig::audit, &AuditConfig::path>(
        {"audit.path", rules::path("an absolute path, or one below ~/", checks::path_below_root),
         R"("~/.local/state/openprx/audit.jsonl")", Start::example,
         "The file. Unset: audit.jsonl in prx's state directory."}),
    key<&SecurityConfig::audit, &AuditConfig::fsync>(
        {"audit.fsync", rules::boolean(), "false", Start::written,
         "Have each line on the disk before going on. Slow; without it a crash of the machine can lose the "
         "last ones."}),
    key<&SecurityConfig::audit, &AuditConfig::on_full>(
        {"audit.on_full", rules::choice(kAuditFullWords), R"("deny")", Start::written,
         "While a line cannot be written: deny what it is about, or wait up to 30 seconds for room first."}),
    key<&SecurityConfig::audit, &AuditConfig::max_size>(
        {"audit.max_size_mb", rules::mebibytes(0), "64", Start::written,
         "The size at which another file is begun; the full one becomes PATH.1. 0: never."}),
    key<&SecurityConfig::audit, &AuditConfig::keep>(
        {"audit.keep", rules::count(1, 1000), "8", Start::written, "How many full files are kept."}),
};

}  // namespace

std::span<const Key<SecurityConfig>> security_keys() noexcept {
  return kSecurityKeys;
}

}  // namespace prx::config
