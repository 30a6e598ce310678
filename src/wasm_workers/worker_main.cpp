// The worker of one engine. Its roles:
//   spawner    prx-init's fork server with the engine and one program in it: slots are forked with both
//   compile    compiles one module, confined, and ends
//   translate  makes a binary module of text, confined, and ends

#include <string>
#include <string_view>

#include "init/spawner.hpp"
#include "wasm_workers/compile.hpp"
#include "wasm_workers/guest.hpp"

namespace {

using namespace prx;

init::ConfineResult prepare() {
  static std::string text;
  auto failure = wasm::load_program();
  if (!failure) return {};
  text = std::move(failure->text);
  return {protocol::Step::engine, failure->error, text};
}

}  // namespace

int main(int argc, char** argv) {
  constexpr int kUsage = 2;
  if (argc != 2) return kUsage;
  const std::string_view role = argv[1];
  if (role == "spawner") return init::run_spawner(prepare);
  if (role == "compile") return wasm::run_compile(wasm::Product::code);
  if (role == "translate") return wasm::run_compile(wasm::Product::binary);
  return kUsage;
}
