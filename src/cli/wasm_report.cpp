#include "cli/wasm_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/printable.hpp"
#include "base/utf8.hpp"
#include "cli/page.hpp"
#include "cli/quantity.hpp"

namespace prx::cli {
namespace {

using backends::Capability;
using backends::ModuleFacts;
using backends::ModuleReport;

constexpr std::size_t kColumn = 10;
constexpr std::size_t kWidth = 100;

std::string line(std::string_view key, std::string_view text) {
  return fmt::format("{:<{}}{}\n", key, kColumn, wrapped(text, kColumn, kWidth));
}

std::vector<std::string> granted(const Config& config, Capability capability) {
  const auto& wasm = config.runtime.wasm;
  switch (capability) {
    case Capability::filesystem_read: {
      auto all = wasm.filesystem_read;  // what may be written may be read
      for (const auto& path : wasm.filesystem_write) {
        if (std::find(all.begin(), all.end(), path) == all.end()) all.push_back(path);
      }
      return all;
    }
    case Capability::filesystem_write:
      return wasm.filesystem_write;
    case Capability::env_vars:
      return wasm.env_vars;
    case Capability::network:
      return wasm.network ? std::vector<std::string>{"all"} : std::vector<std::string>{};
    case Capability::none:
      break;
  }
  return {};
}

std::string joined(const auto& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + base::printable(word);
  return text;
}

std::string wasi_of(const ModuleFacts& facts) {
  if (facts.kind == backends::ModuleKind::component) return "preview 2";
  const bool uses = std::any_of(facts.imports.begin(), facts.imports.end(),
                                [](const auto& import) { return import.module == backends::kWasiPreview1; });
  return uses ? "preview 1" : "none";
}

/// What each module that is imported from gives, in the order in which they come.
std::string imports_text(const ModuleFacts& facts) {
  std::vector<std::pair<std::string_view, std::vector<std::string_view>>> groups;
  for (const auto& import : facts.imports) {
    auto group = std::find_if(groups.begin(), groups.end(),
                              [&](const auto& one) { return one.first == import.module; });
    if (group == groups.end()) group = groups.insert(group, {import.module, {}});
    group->second.push_back(import.name);
  }
  std::string text;
  for (const auto& [module, names] : groups) {
    text += line(text.empty() ? "imports" : "", base::printable(module) + ": " + joined(names));
  }
  return text.empty() ? line("imports", "nothing") : text;
}

std::string exports_text(const ModuleFacts& facts) {
  std::vector<std::string> words;
  for (const auto& one : facts.exports) {
    const auto kind = one.kind == "function" ? "" : " (" + std::string(one.kind) + ")";
    words.push_back(one.name + kind);
  }
  return line("exports", words.empty() ? "nothing" : joined(words));
}

std::string memory_text(const ModuleFacts& facts) {
  std::string text;
  for (const auto& memory : facts.memories) {
    const auto most =
        memory.maximum ? "at most " + std::to_string(*memory.maximum) : std::string("no limit of its own");
    text += line("memory", fmt::format("{} pages of 64 KiB at first, {}", memory.minimum, most));
  }
  return text;
}

std::string needs_text(const ModuleFacts& facts, const Config& config) {
  std::string text;
  for (const auto& need : needs_of(facts, config)) {
    const auto what = need.granted.empty() ? "nothing is granted" : "granted " + joined(need.granted);
    text +=
        line(text.empty() ? "uses" : "", fmt::format("{}: {} ({}); by {}", need.capability, what,
                                                     base::printable(need.origin), joined(need.functions)));
  }
  return text.empty() ? line("uses", "no capability") : text;
}

std::string_view kind_of(const ModuleReport& report) {
  return report.facts ? backends::to_string(report.facts->kind) : "no module";
}

io::Json summary_json(const ModuleReport& report) {
  io::Json object = io::Json::object();
  object.set("name", base::to_utf8_lossy(report.name)).set("path", base::to_utf8_lossy(report.path));
  object.set("size", report.size).set("kind", kind_of(report)).set("compiled", report.is_compiled);
  object.set("problem", base::to_utf8_lossy(report.problem));
  return object;
}

io::Json texts_json(const auto& texts) {
  io::Json list = io::Json::array();
  for (const auto& text : texts) list.push(io::Json(base::to_utf8_lossy(text)));
  return list;
}

io::Json imports_json(const ModuleFacts& facts) {
  io::Json list = io::Json::array();
  for (const auto& import : facts.imports) {
    io::Json object = io::Json::object();
    object.set("module", base::to_utf8_lossy(import.module)).set("name", base::to_utf8_lossy(import.name));
    list.push(std::move(object.set("kind", import.kind)));
  }
  return list;
}

io::Json exports_json(const ModuleFacts& facts) {
  io::Json list = io::Json::array();
  for (const auto& one : facts.exports) {
    io::Json object = io::Json::object();
    list.push(std::move(object.set("name", base::to_utf8_lossy(one.name)).set("kind", one.kind)));
  }
  return list;
}

io::Json memories_json(const ModuleFacts& facts) {
  io::Json list = io::Json::array();
  for (const auto& memory : facts.memories) {
    io::Json object = io::Json::object();
    object.set("minimum_pages", memory.minimum);
    object.set("maximum_pages", memory.maximum ? io::Json(*memory.maximum) : io::Json());
    list.push(std::move(object));
  }
  return list;
}

io::Json needs_json(const ModuleFacts& facts, const Config& config) {
  io::Json list = io::Json::array();
  for (const auto& need : needs_of(facts, config)) {
    io::Json object = io::Json::object();
    object.set("capability", need.capability).set("functions", texts_json(need.functions));
    object.set("granted", texts_json(need.granted)).set("origin", base::to_utf8_lossy(need.origin));
    list.push(std::move(object));
  }
  return list;
}

}  // namespace

std::vector<ModuleNeed> needs_of(const ModuleFacts& facts, const Config& config) {
  std::vector<ModuleNeed> needs;
  for (const auto capability : {Capability::filesystem_read, Capability::filesystem_write,
                                Capability::env_vars, Capability::network}) {
    auto functions = backends::uses_of(facts, capability);
    if (functions.empty()) continue;
    const auto key = "runtime.wasm.capabilities." + std::string(backends::to_string(capability));
    needs.push_back({backends::to_string(capability), std::move(functions), granted(config, capability),
                     config.origin_of(key).describe()});
  }
  return needs;
}

std::string module_text(const ModuleReport& report, const Config& config) {
  std::string text = line("module", base::printable(report.path));
  text += line("size", size_text(Bytes{report.size}));
  if (report.facts) {
    text += line("kind", kind_of(report)) + line("WASI", wasi_of(*report.facts));
    text += imports_text(*report.facts) + exports_text(*report.facts) + memory_text(*report.facts);
    text += needs_text(*report.facts, config);
  }
  text += line("compiled", report.is_compiled ? "yes" : "no, on its first run or by `prx wasm compile`");
  return text + line("runs", report.problem.empty() ? "yes" : "no: " + base::printable(report.problem));
}

io::Json module_json(const ModuleReport& report, const Config& config) {
  io::Json object = summary_json(report);
  if (!report.facts) return object;
  object.set("wasi", wasi_of(*report.facts)).set("imports", imports_json(*report.facts));
  object.set("exports", exports_json(*report.facts)).set("memories", memories_json(*report.facts));
  object.set("needs", needs_json(*report.facts, config));
  return object;
}

std::string modules_text(const std::vector<ModuleReport>& reports, const std::string& folder) {
  if (reports.empty()) return "no modules in " + base::printable(folder) + "\n";
  std::size_t width = 4;
  for (const auto& report : reports) width = std::max(width, base::printable(report.name).size());
  std::string text =
      fmt::format("{:<{}}  {:<9}  {:>12}  {:<8}  {}\n", "NAME", width, "KIND", "BYTES", "COMPILED", "RUNS");
  for (const auto& report : reports) {
    text += fmt::format("{:<{}}  {:<9}  {:>12}  {:<8}  {}\n", base::printable(report.name), width,
                        kind_of(report), report.size, report.is_compiled ? "yes" : "no",
                        report.problem.empty() ? "yes" : "no: " + base::printable(report.problem));
  }
  return text;
}

io::Json modules_json(const std::vector<ModuleReport>& reports) {
  io::Json list = io::Json::array();
  for (const auto& report : reports) list.push(summary_json(report));
  io::Json object = io::Json::object();
  object.set("modules", std::move(list));
  return object;
}

}  // namespace prx::cli
