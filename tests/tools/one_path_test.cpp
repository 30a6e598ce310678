#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <string>

#include "support/artefacts.hpp"
#include "support/temp_dir.hpp"

namespace prx::test {
namespace {

std::set<std::string> files_with(const std::string& text) {
  std::set<std::string> files;
  const std::filesystem::path root = source_path("src");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".cpp") continue;
    if (read_file(entry.path().string()).find(text) == std::string::npos) continue;
    files.insert(std::filesystem::relative(entry.path(), root).string());
  }
  return files;
}

/// Whoever runs something gets its runtime from create_runtime(), which puts policy and audit log around
/// every backend. That each way is held to them is tried in
/// AuditCommand.EachWayToRunIsHeldToThePolicyAndWrittenDown.
TEST(OnePath, NothingReachesABackendButThroughTheGuard) {
  const std::set<std::string> makers{"app/create_backend.cpp"};
  EXPECT_EQ(files_with("make_native_runtime(std::move("), makers);
  EXPECT_EQ(files_with("return create_wasm("), makers);
  const std::set<std::string> callers{"app/create_runtime.cpp", "app/routed_runtime.cpp"};
  EXPECT_EQ(files_with("create_backend(config"), callers);
  const std::set<std::string> guards{"app/create_runtime.cpp"};
  EXPECT_EQ(files_with("make_unique<app::RoutedRuntime>"), guards);
  EXPECT_EQ(files_with("make_unique<app::GuardedRuntime>"), guards);
}

}  // namespace
}  // namespace prx::test
