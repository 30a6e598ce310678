#include "sandbox/harmless.hpp"

#include <gtest/gtest.h>

namespace prx::sandbox {
namespace {

TEST(HarmlessGitConfig, WhatGitItselfWritesMayStay) {
  EXPECT_TRUE(is_harmless_git_config(""));
  EXPECT_TRUE(
      is_harmless_git_config("[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n"
                             "\tlogallrefupdates = true\n"));
  EXPECT_TRUE(
      is_harmless_git_config("# made by a tool\n[remote \"origin\"]\n\turl = https://example.org/a.git\n"
                             "\tfetch = +refs/heads/*:refs/remotes/origin/*\n[branch \"main\"]\n"
                             "\tremote = origin\n\tmerge = refs/heads/main\n"));
  EXPECT_TRUE(is_harmless_git_config("[user]\r\n\tname = A B\r\n\temail = a@b.c\r\n"));
}

TEST(HarmlessGitConfig, WhatNamesAProgramOrAFileMayNot) {
  for (const auto* text : {
           "[core]\n\tfsmonitor = ./evil\n",
           "[core]\n\thooksPath = .\n",
           "[core]\n\tpager = evil\n",
           "[CORE]\n\tFsMonitor = ./evil\n",
           "[core] fsmonitor = ./evil\n",
           "[core]\n\tbare = false \\\n\tfsmonitor = x\n",
           "[include]\n\tpath = ../evil\n",
           "[includeIf \"gitdir:/\"]\n\tpath = ../evil\n",
           "[alias]\n\tst = !evil\n",
           "[filter \"x\"]\n\tclean = evil\n",
           "[remote \"origin\"]\n\turl = ext::sh -c evil\n",
           "[remote \"origin\"]\n\tuploadpack = evil\n",
           "[remote \"o\\\"]\"]\n\turl = x\n",
           "[extensions]\n\tworktreeConfig = true\n",
           "[core\n\tfsmonitor = x\n",
           "[core]\n\tfsmonitor\n",
           "fsmonitor = x\n",
       }) {
    EXPECT_FALSE(is_harmless_git_config(text)) << text;
  }
}

}  // namespace
}  // namespace prx::sandbox
