#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <prx/config.hpp>
#include <prx/error.hpp>
#include <prx/output.hpp>
#include <prx/result.hpp>
#include <prx/runtime.hpp>

namespace prx {

enum class ToolKind : std::uint8_t { builtin, custom };
/// "builtin", "custom": also the group that a tool without one of its own is in.
[[nodiscard]] std::string_view to_string(ToolKind kind) noexcept;

/// What an agent's program says of a tool, and what a model is told of it.
struct ToolInfo {
  std::string name;
  ToolKind kind = ToolKind::custom;
  std::string description;
  std::string parameters_json;           ///< a JSON Schema of type object
  std::vector<std::string> annotations;  ///< "read_only", "destructive", "idempotent", "open_world"
  std::string group;                     ///< in security.tool_policy.groups
};

/// What a model asks for.
struct ToolCall {
  std::string tool;
  std::string arguments = "{}";  ///< a JSON object, as the model wrote it; at most 1 MiB
  /// Set: instead of the tool's own timeout. Zero: no limit.
  std::optional<std::chrono::milliseconds> timeout{};
};

/// What comes of a call. A call that was refused or could not be set up ran nothing: `failure` says why.
struct ToolResult {
  bool success = false;  ///< it ran, and exited with 0
  /// For a model: UTF-8, what the tool printed, stderr behind stdout, and how it ended where that was not
  /// well. At most 32 KiB of each stream, with a line that says how much is missing and how to get it.
  std::string output;
  std::string error;                         ///< one sentence, empty on success
  std::optional<Error> failure;              ///< why nothing ran
  std::optional<ExecutionOutput> execution;  ///< everything about the execution, where there was one
};

enum class SchemaFormat : std::uint8_t { openai, anthropic, mcp };

namespace tools {
class Registry;
}

/// The tools of a configuration, and the one way to call them. Thread-safe: many calls at once, each on the
/// thread that makes it.
class Toolbox {
 public:
  /// Errors: invalid_request (step "tool", subject its key) for a tool that can never be called: no schema,
  /// an argument that names no parameter, a name that is taken. `runtime` runs the calls.
  [[nodiscard]] static Result<Toolbox> create(const Config& config, std::shared_ptr<RuntimeAdapter> runtime);
  ~Toolbox();
  Toolbox(Toolbox&&) noexcept;
  Toolbox& operator=(Toolbox&&) noexcept;
  Toolbox(const Toolbox&) = delete;
  Toolbox& operator=(const Toolbox&) = delete;

  /// By name.
  [[nodiscard]] std::span<const ToolInfo> list() const noexcept;

  /// The tools as the API of that name takes them: a JSON array; of those named, or, without names, of all.
  /// Error kind not_found for a name that there is not.
  [[nodiscard]] Result<std::string> schema(SchemaFormat format,
                                           std::span<const std::string> names = {}) const;

  /// The request that a call becomes, without running it. Errors of kind invalid_request, with a hint that a
  /// model can act on: no such tool, arguments that are not JSON or do not fit.
  [[nodiscard]] Result<ExecutionRequest> request_of(const ToolCall& call) const;

  /// Checks a call, runs it, and waits for its end.
  [[nodiscard]] ToolResult call(const ToolCall& call) const;

 private:
  Toolbox(std::unique_ptr<tools::Registry> registry, std::shared_ptr<RuntimeAdapter> runtime,
          std::string workspace);

  std::unique_ptr<tools::Registry> registry_;
  std::shared_ptr<RuntimeAdapter> runtime_;
  std::string workspace_;  // where calls start; empty: the current directory
};

}  // namespace prx
