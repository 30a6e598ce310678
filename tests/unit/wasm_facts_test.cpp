// The outline of a module, read from bytes that may be anything.
#include <gtest/gtest.h>

#include <algorithm>

#include "backends/wasm/module_facts.hpp"

namespace prx::backends {
namespace {

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += static_cast<char>(value);
  return text;
}

const std::string kHeader = bytes({0, 'a', 's', 'm', 1, 0, 0, 0});

std::string section(int id, const std::string& content) {
  return bytes({id, static_cast<int>(content.size())}) + content;
}

std::string name(const std::string& text) {
  return bytes({static_cast<int>(text.size())}) + text;
}

std::string import(const std::string& module, const std::string& field, const std::string& type) {
  return name(module) + name(field) + type;
}

const std::string kFunction = bytes({0, 0});

std::string module_with(const std::vector<std::string>& imports, const std::string& exported) {
  std::string list = bytes({static_cast<int>(imports.size())});
  for (const auto& one : imports) list += one;
  return kHeader + section(2, list) + section(5, bytes({1, 1, 2, 16})) +
         section(7, bytes({1}) + name(exported) + bytes({0, 0}));
}

TEST(WasmFacts, AnOutlineIsRead) {
  const auto facts = read_facts(module_with(
      {import("wasi_snapshot_preview1", "fd_write", kFunction),
       import("env", "table", bytes({1, 0x70, 0, 1})),
       import("env", "typed", bytes({1, 0x63, 0x05, 1, 1, 2})), import("env", "memory", bytes({2, 1, 1, 2})),
       import("env", "global", bytes({3, 0x7f, 1})), import("env", "tag", bytes({4, 0, 0}))},
      "_start"));
  ASSERT_TRUE(facts) << facts.error().message();
  EXPECT_EQ(facts->kind, ModuleKind::command);
  std::vector<std::string> kinds;
  for (const auto& one : facts->imports) kinds.emplace_back(one.kind);
  EXPECT_EQ(kinds, (std::vector<std::string>{"function", "table", "table", "memory", "global", "tag"}));
  EXPECT_EQ(facts->imports.front().module, kWasiPreview1);
  EXPECT_EQ(facts->imports.front().name, "fd_write");
  ASSERT_EQ(facts->exports.size(), 1U);
  EXPECT_EQ(facts->exports.front().kind, "function");
  ASSERT_EQ(facts->memories.size(), 1U);
  EXPECT_EQ(facts->memories.front().minimum, 2U);
  EXPECT_EQ(facts->memories.front().maximum, 16U);
}

TEST(WasmFacts, TheKindFollowsFromTheExports) {
  EXPECT_EQ(read_facts(module_with({}, "_start"))->kind, ModuleKind::command);
  EXPECT_EQ(read_facts(module_with({}, "_initialize"))->kind, ModuleKind::reactor);
  EXPECT_EQ(read_facts(module_with({}, "add"))->kind, ModuleKind::library);
  EXPECT_EQ(read_facts(kHeader)->kind, ModuleKind::library);
  // Not a function.
  EXPECT_EQ(read_facts(kHeader + section(7, bytes({1}) + name("_start") + bytes({2, 0})))->kind,
            ModuleKind::library);
  EXPECT_EQ(read_facts(bytes({0, 'a', 's', 'm', 13, 0, 1, 0}) + "anything")->kind, ModuleKind::component);
}

TEST(WasmFacts, WhatCannotRunSaysWhy) {
  const auto why = [](const std::vector<std::string>& imports, const std::string& exported) {
    return why_no_program(*read_facts(module_with(imports, exported)));
  };
  EXPECT_EQ(why({import("wasi_snapshot_preview1", "fd_write", kFunction)}, "_start"), "");
  EXPECT_NE(why({}, "_initialize").find("library"), std::string::npos);
  EXPECT_NE(why({}, "add").find("_start"), std::string::npos);
  EXPECT_NE(why({import("env", "nothing", kFunction)}, "_start").find("env.nothing"), std::string::npos);
  EXPECT_NE(why({import("wasi_snapshot_preview1", "fd_fly", kFunction)}, "_start").find("fd_fly"),
            std::string::npos);
  EXPECT_NE(why({import("env", "a\nb", kFunction)}, "_start").find("a\\nb"), std::string::npos);
}

TEST(WasmFacts, UsesAreByCapability) {
  const auto facts = *read_facts(module_with(
      {import("wasi_snapshot_preview1", "path_open", kFunction),
       import("wasi_snapshot_preview1", "sock_accept", kFunction), import("env", "path_rename", kFunction)},
      "_start"));
  EXPECT_EQ(uses_of(facts, Capability::filesystem_read), std::vector<std::string_view>{"path_open"});
  EXPECT_EQ(uses_of(facts, Capability::network), std::vector<std::string_view>{"sock_accept"});
  EXPECT_TRUE(uses_of(facts, Capability::filesystem_write).empty());
  EXPECT_TRUE(uses_of(facts, Capability::env_vars).empty());
}

TEST(WasmFacts, EveryCutIsSeen) {
  const auto whole = module_with({import("wasi_snapshot_preview1", "fd_write", kFunction)}, "_start");
  const std::vector<std::size_t> sections{8, 8 + 2 + 35, 8 + 2 + 35 + 2 + 4};
  for (std::size_t size = 0; size < whole.size(); ++size) {
    const bool is_whole = std::find(sections.begin(), sections.end(), size) != sections.end();
    EXPECT_EQ(read_facts(whole.substr(0, size)).has_value(), is_whole) << size;
  }
}

TEST(WasmFacts, WhatIsWrongIsSaidWithItsPlace) {
  const auto problem = [](const std::string& module) {
    const auto facts = read_facts(module);
    return facts ? std::string() : facts.error().detail;
  };
  EXPECT_NE(problem("#!/bin/sh\n"), "");
  EXPECT_NE(problem(bytes({0, 'a', 's', 'm', 2, 0, 0, 0})), "");
  EXPECT_EQ(problem(kHeader + section(14, "")), "an unknown section at byte 10");
  EXPECT_EQ(problem(kHeader + section(5, bytes({0, 0}))),
            "a section is longer than what it holds at byte 11");
  EXPECT_EQ(problem(kHeader + section(7, bytes({1, 1, 'a', 9, 0}))),
            "an unknown kind of import or export at byte 14");
  EXPECT_EQ(problem(kHeader + bytes({0, 0xff, 0xff, 0xff, 0xff, 0x1f})), "a number is too large at byte 14");
  EXPECT_EQ(problem(kHeader + bytes({0, 0xff, 0xff, 0xff, 0xff, 0x0f})), "it is cut off at byte 14");
  EXPECT_EQ(problem(kHeader + section(2, bytes({0xa1, 0x8d, 6}))),
            "more entries than any module has at byte 13");
}

}  // namespace
}  // namespace prx::backends
