#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/trap.hpp"
#include "protocol/wasm_setup.hpp"

namespace prx::wasm {

/// Why code could not be compiled, loaded or started.
struct Failure {
  int error = 0;  ///< ENOEXEC: the module; ENOMEM: its memory; otherwise the machine
  std::string text;
};

/// One run of a program. Its standard streams are descriptors 0 to 2.
struct GuestCall {
  std::vector<std::string> argv;
  std::vector<std::string> env;  ///< "NAME=value"
  std::vector<protocol::WasmDirectory> directories;
};

struct GuestEnd {
  std::optional<Failure> failure;  ///< it never ran
  int exit_code = 0;
  protocol::Trap trap = protocol::Trap::none;
  bool out_of_memory = false;  ///< it ended by a trap after it was refused memory
  std::string text;            ///< of a trap
};

/// A WebAssembly engine. Errors are values; nothing here throws but for want of memory.
class Engine {
 public:
  virtual ~Engine() = default;

  /// A module, binary or text, as code that load() takes.
  [[nodiscard]] virtual std::optional<Failure> compile(std::string_view module, std::string& code) = 0;
  /// A module, binary or text, as binary.
  [[nodiscard]] virtual std::optional<Failure> translate(std::string_view module, std::string& binary) = 0;
  /// Takes up compiled code. It runs as machine code: the caller knows where it comes from. Starts no thread,
  /// so that the process may fork afterwards.
  [[nodiscard]] virtual std::optional<Failure> load(const char* code_path,
                                                    const protocol::WasmSetup& setup) = 0;
  /// In a process that will run() once: what can be done of it before the call is known.
  virtual void get_ready() = 0;
  /// Once in a process, which must not fork afterwards. `started` is called right before the first
  /// instruction.
  [[nodiscard]] virtual GuestEnd run(const GuestCall& call, void (*started)()) = 0;
};

/// The engine that this worker is linked with.
[[nodiscard]] std::unique_ptr<Engine> make_engine();

}  // namespace prx::wasm
