#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <prx/config.hpp>

#include "config/key.hpp"

namespace prx::config {

/// A string that holds a table as JSON.
template <class String>
struct JsonText {
  String& text;
};
template <class String>
JsonText(String&) -> JsonText<String>;

// Each checks the input against its rule and stores it in `target`, or tells the layer what is wrong and
// leaves `target` as it was. A table's entries are taken one by one and added to those already there.

void read(const Input& in, bool& target);
void read(const Input& in, std::uint32_t& target);
void read(const Input& in, double& target);
void read(const Input& in, std::string& target);
void read(const Input& in, std::chrono::seconds& target);
void read(const Input& in, std::optional<std::chrono::seconds>& target);
void read(const Input& in, Bytes& target);
void read(const Input& in, BackendChoice& target);
void read(const Input& in, std::optional<BackendChoice>& target);
void read(const Input& in, SandboxChoice& target);
void read(const Input& in, DockerNetwork& target);
void read(const Input& in, WasmEngine& target);
void read(const Input& in, ToolRule& target);
void read(const Input& in, ToolInput& target);
void read(const Input& in, NetworkRule& target);
void read(const Input& in, std::vector<std::string>& target);
void read(const Input& in, std::vector<EnvVar>& target);
void read(const Input& in, std::map<std::string, std::string>& target);
void read(const Input& in, std::map<std::string, std::chrono::seconds>& target);
void read(const Input& in, std::map<std::string, ToolRule>& target);
void read(const Input& in, JsonText<std::string> target);

}  // namespace prx::config
