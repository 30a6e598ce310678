#include "tools/arguments.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/printable.hpp"
#include "base/try.hpp"
#include "config/suggest.hpp"
#include "io/json_input.hpp"

namespace prx::tools {
namespace {

constexpr std::string_view kStep = "arguments";
constexpr std::size_t kMaxHint = 2048;

Error refusal(std::string subject, std::string detail, std::string hint) {
  return {ErrorKind::invalid_request, std::string(kStep), std::move(subject), 0,
          std::move(detail),          std::move(hint)};
}

std::string schema_hint(const Tool& tool) {
  const auto& schema = tool.info.parameters_json;
  if (schema.size() > kMaxHint) return "see the tool's parameters";
  return "its parameters are " + schema;
}

std::vector<std::string> names_of(const io::JsonValue& properties) {
  std::vector<std::string> names;
  for (const auto& [name, schema] : properties.members()) names.push_back(name);
  return names;
}

/// Said before the schema is asked, for the sake of the nearest name.
Result<void> refuse_unknown(const Tool& tool, const io::JsonValue& arguments) {
  const auto closed = tool.schema["additionalProperties"];
  if (!closed.is_boolean() || closed.boolean() || !tool.schema["patternProperties"].is_null()) return {};
  const auto properties = tool.schema["properties"];
  for (const auto& [name, value] : arguments.members()) {
    if (!properties[name].is_null()) continue;
    const auto known = names_of(properties);
    const std::vector<std::string_view> candidates(known.begin(), known.end());
    const auto guess = config::nearest(name, candidates);
    return refusal("/" + base::printable(name),
                   fmt::format("{} has no parameter of that name", tool.info.name),
                   guess ? fmt::format("did you mean \"{}\"?", *guess) : schema_hint(tool));
  }
  return {};
}

Result<void> refuse_missing(const Tool& tool, const io::JsonValue& arguments) {
  for (const auto& required : tool.schema["required"].items()) {
    bool is_there = false;
    for (const auto& [name, value] : arguments.members()) is_there = is_there || name == required.text();
    if (!is_there) {
      return refusal("/" + required.text(), fmt::format("{} needs this argument", tool.info.name),
                     schema_hint(tool));
    }
  }
  return {};
}

Result<void> refuse_unfit(const Tool& tool, const io::JsonValue& arguments) {
  const auto problems = tool.parameters.problems_of(arguments);
  if (problems.empty()) return {};
  std::string detail = base::printable(problems.front().text);
  for (auto problem = problems.begin() + 1; problem != problems.end(); ++problem) {
    detail += fmt::format("; {}: {}", problem->place, base::printable(problem->text));
  }
  const auto& place = problems.front().place;
  return refusal(place.empty() ? tool.info.name : base::printable(place), std::move(detail),
                 schema_hint(tool));
}

}  // namespace

Result<io::JsonValue> read_arguments(const Tool& tool, std::string_view text) {
  PRX_TRY(const auto read, io::JsonInput::parse(text, kStep, tool.info.name));
  if (!read.is_object()) {
    return refusal(tool.info.name, "the arguments of a call are a JSON object", schema_hint(tool));
  }
  const auto arguments = tool.parameters.with_defaults(read);
  PRX_CHECK(refuse_unknown(tool, arguments));
  PRX_CHECK(refuse_missing(tool, arguments));
  PRX_CHECK(refuse_unfit(tool, arguments));
  return arguments;
}

}  // namespace prx::tools
