#pragma once

namespace prx::wasm {

enum class Product { code, binary };

/// Makes `product` of the module in the worker's descriptors (protocol/wasm_setup.hpp), confined: an exit
/// status that is an errno, with the engine's words for a module that is none.
[[nodiscard]] int run_compile(Product product);

}  // namespace prx::wasm
