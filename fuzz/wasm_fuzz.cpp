// Any bytes as a module. Beyond not crashing: what is read lies in the module, so it cannot be more than
// that.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "backends/wasm/module_facts.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view module(reinterpret_cast<const char*>(data), size);
  const auto facts = prx::backends::read_facts(module);
  if (!facts) {
    if (facts.error().detail.empty()) std::abort();
    return 0;
  }
  std::size_t names = 0;
  for (const auto& import : facts->imports) names += import.module.size() + import.name.size();
  for (const auto& one : facts->exports) names += one.name.size();
  if (names > size || facts->memories.size() > size) std::abort();
  (void)prx::backends::why_no_program(*facts);
  return 0;
}
