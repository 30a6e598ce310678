#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include <prx/config.hpp>
#include <prx/result.hpp>
#include <prx/runtime.hpp>

namespace prx::test {

/// A backend as the contract suite sees it: how to make one, and what it does not promise. A new backend is a
/// new entry in all_backends(), and has then passed or failed everything in this folder.
struct BackendUnderTest {
  std::string name;  ///< of the tests: letters, digits and underscores
  std::function<Result<std::unique_ptr<RuntimeAdapter>>(const Config&)> make;
  std::string backend;  ///< what ExecutionOutput::backend says
  std::string sandbox;  ///< what ExecutionOutput::sandbox says
  bool many_at_once = true;
  /// The command gets the caller's descriptors themselves, not what is read from and written to them.
  bool passes_descriptors = true;
  std::string portable;  ///< the probe `portable` as this backend runs it
  /// max_memory and max_subprocesses are held.
  bool limits_trees = true;
};

/// Those that run this machine's programs, a shell among them.
[[nodiscard]] const std::vector<BackendUnderTest>& all_backends();
/// Every one: what a test of these starts is the probe `portable`.
[[nodiscard]] const std::vector<BackendUnderTest>& portable_backends();

/// The two ways to run a command to its end. They share most code and no thread, so each test does both.
enum class Call { execute, start_and_wait };

struct Variant {
  const BackendUnderTest* backend = nullptr;
  Call call = Call::execute;
};

[[nodiscard]] std::vector<Variant> variants_of(const std::vector<BackendUnderTest>& backends);
[[nodiscard]] std::vector<const BackendUnderTest*> every_one(const std::vector<BackendUnderTest>& backends);
[[nodiscard]] std::vector<const BackendUnderTest*> concurrent_ones(
    const std::vector<BackendUnderTest>& backends);

[[nodiscard]] std::string name_of(const Variant& variant);
[[nodiscard]] std::string name_of(const BackendUnderTest* backend);
std::ostream& operator<<(std::ostream& stream, const Variant& variant);

}  // namespace prx::test

namespace prx {
/// For a failure's text: found by lookup in the types' own namespace.
std::ostream& operator<<(std::ostream& stream, ErrorKind kind);
std::ostream& operator<<(std::ostream& stream, const Error& error);
}  // namespace prx
