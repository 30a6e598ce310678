#include "config/json_text.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <utility>

#include "base/overloaded.hpp"

namespace prx::config {

namespace {

class JsonWriter {
 public:
  void write(const Table& table) {
    out_ += '{';
    const char* separator = "";
    for (const Entry& entry : table.entries) {
      out_ += std::exchange(separator, ",");
      write(entry.key);
      out_ += ':';
      write(entry.value);
    }
    out_ += '}';
  }

  [[nodiscard]] std::variant<std::string, JsonProblem> take() && {
    if (problem_) return std::move(*problem_);
    return std::move(out_);
  }

 private:
  void write(const Value& value) {
    std::visit(base::Overloaded{
                   [&](bool yes) { out_ += yes ? "true" : "false"; },
                   [&](std::int64_t number) { out_ += fmt::format("{}", number); },
                   [&](double number) { write(number, value.at); },
                   [&](const std::string& text) { write(text); },
                   [&](Moment) { refuse(value.at, "a date or time has no JSON"); },
                   [&](const List& list) { write(list); },
                   [&](const Table& table) { write(table); },
               },
               value.data);
  }

  void write(double number, Position at) {
    if (!std::isfinite(number)) return refuse(at, "an infinite number or NaN has no JSON");
    out_ += fmt::format("{}", number);
  }

  // A TOML basic string escapes what JSON escapes, in the same way, but for U+007F, which both may escape.
  void write(const std::string& text) { out_ += toml_string(text); }

  void write(const List& list) {
    out_ += '[';
    const char* separator = "";
    for (const Value& item : list) {
      out_ += std::exchange(separator, ",");
      write(item);
    }
    out_ += ']';
  }

  void refuse(Position at, const char* text) {
    if (!problem_) problem_ = JsonProblem{at, text};
  }

  std::string out_;
  std::optional<JsonProblem> problem_;
};

}  // namespace

std::variant<std::string, JsonProblem> to_json(const Table& table) {
  JsonWriter writer;
  writer.write(table);
  return std::move(writer).take();
}

}  // namespace prx::config
