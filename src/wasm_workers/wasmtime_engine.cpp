#include <wasi.h>
#include <wasmtime.h>

#include <cerrno>
#include <memory>
#include <utility>

#include "wasm_workers/engine.hpp"
#include "wasm_workers/guest_memory.hpp"

namespace prx::wasm {
namespace {

using protocol::Trap;

constexpr std::string_view kStart = "_start";
constexpr std::int64_t kMaxTableElements = 1'000'000;
constexpr std::int64_t kMaxTables = 16;
constexpr std::int64_t kMaxMemories = 16;

/// Writes nothing to stdout: after that the threads, pages and tables are there that the engine makes on its
/// first call of a host function, which cost more than a short program.
constexpr std::string_view kRehearsal = R"((module
  (import "wasi_snapshot_preview1" "fd_write" (func $write (param i32 i32 i32 i32) (result i32)))
  (memory (export "memory") 1)
  (data (i32.const 0) "\08\00\00\00\01\00\00\00\0a")
  (func (export "_start")
    (drop (call $write (i32.const 1) (i32.const 0) (i32.const 1) (i32.const 16))))))";

template <auto kDelete>
struct Deleter {
  template <class T>
  void operator()(T* object) const {
    kDelete(object);
  }
};
using EnginePtr = std::unique_ptr<wasm_engine_t, Deleter<wasm_engine_delete>>;
using ModulePtr = std::unique_ptr<wasmtime_module_t, Deleter<wasmtime_module_delete>>;
using InstancePrePtr = std::unique_ptr<wasmtime_instance_pre_t, Deleter<wasmtime_instance_pre_delete>>;
using LinkerPtr = std::unique_ptr<wasmtime_linker_t, Deleter<wasmtime_linker_delete>>;
using StorePtr = std::unique_ptr<wasmtime_store_t, Deleter<wasmtime_store_delete>>;
using ErrorPtr = std::unique_ptr<wasmtime_error_t, Deleter<wasmtime_error_delete>>;
using TrapPtr = std::unique_ptr<wasm_trap_t, Deleter<wasm_trap_delete>>;

std::string take_text(wasm_byte_vec_t& bytes) {
  std::string text(bytes.data, bytes.size);
  wasm_byte_vec_delete(&bytes);
  while (!text.empty() && text.back() == '\0') text.pop_back();
  return text;
}

std::string text_of(const wasmtime_error_t& error) {
  wasm_byte_vec_t bytes;
  wasmtime_error_message(&error, &bytes);
  return take_text(bytes);
}

std::string text_of(const wasm_trap_t& trap) {
  wasm_byte_vec_t bytes;
  wasm_trap_message(&trap, &bytes);
  return take_text(bytes);
}

Trap kind_of(const wasm_trap_t& trap) {
  wasmtime_trap_code_t code = 0;
  if (!wasmtime_trap_code(&trap, &code)) return Trap::other;
  switch (code) {
    case WASMTIME_TRAP_CODE_STACK_OVERFLOW:
      return Trap::stack_overflow;
    case WASMTIME_TRAP_CODE_MEMORY_OUT_OF_BOUNDS:
      return Trap::memory_out_of_bounds;
    case WASMTIME_TRAP_CODE_TABLE_OUT_OF_BOUNDS:
      return Trap::table_out_of_bounds;
    case WASMTIME_TRAP_CODE_INDIRECT_CALL_TO_NULL:
    case WASMTIME_TRAP_CODE_BAD_SIGNATURE:
      return Trap::indirect_call;
    case WASMTIME_TRAP_CODE_INTEGER_OVERFLOW:
      return Trap::integer_overflow;
    case WASMTIME_TRAP_CODE_INTEGER_DIVISION_BY_ZERO:
      return Trap::division_by_zero;
    case WASMTIME_TRAP_CODE_BAD_CONVERSION_TO_INTEGER:
      return Trap::invalid_conversion;
    case WASMTIME_TRAP_CODE_UNREACHABLE_CODE_REACHED:
      return Trap::unreachable;
    default:
      return Trap::other;
  }
}

/// No epochs and no fuel: a process that is killed needs neither, and code without is faster.
wasm_config_t* make_config(GuestMemory* memory) {
  auto* config = wasm_config_new();
  wasmtime_config_wasm_threads_set(config, false);     // shared memory would not come from GuestMemory
  wasmtime_config_memory_init_cow_set(config, false);  // GuestMemory's is no mapping of the engine's
  wasmtime_config_native_unwind_info_set(config, false);
  if (memory != nullptr) {
    memory->serve(config);
    wasmtime_config_parallel_compilation_set(config, false);  // a process that forks has one thread
  }
  return config;
}

class WasmtimeEngine final : public Engine {
 public:
  std::optional<Failure> compile(std::string_view module, std::string& code) override;
  std::optional<Failure> translate(std::string_view module, std::string& binary) override;
  std::optional<Failure> load(const char* code_path, const protocol::WasmSetup& setup) override;
  void get_ready() override;
  GuestEnd run(const GuestCall& call, void (*started)()) override;

 private:
  void make_store();
  void compile_rehearsal();
  void rehearse();
  [[nodiscard]] wasmtime_error_t* instantiate(wasmtime_context_t* context, wasm_trap_t** trap);
  [[nodiscard]] GuestEnd call_start(wasmtime_func_t& start);
  [[nodiscard]] GuestEnd end_by(TrapPtr trap);
  [[nodiscard]] std::optional<Failure> define_exit();
  static wasm_trap_t* on_exit(void* env, wasmtime_caller_t* caller, const wasmtime_val_t* arguments,
                              std::size_t count, wasmtime_val_t* results, std::size_t result_count);

  GuestMemory memory_;
  EnginePtr engine_;
  ModulePtr module_;
  ModulePtr rehearsal_;  // none where no slot waits
  LinkerPtr linker_;
  InstancePrePtr resolved_;  // module_ with its imports; none where it has one that is not there
  StorePtr store_;
  wasmtime_instance_t instance_{};
  std::optional<int> exit_code_;
};

std::optional<Failure> WasmtimeEngine::compile(std::string_view module, std::string& code) {
  const EnginePtr engine(wasm_engine_new_with_config(make_config(nullptr)));
  std::string binary;
  if (auto failure = translate(module, binary)) return failure;
  wasmtime_module_t* made = nullptr;
  if (const ErrorPtr error(wasmtime_module_new(
          engine.get(), reinterpret_cast<const std::uint8_t*>(binary.data()), binary.size(), &made));
      error) {
    return Failure{ENOEXEC, text_of(*error)};
  }
  const ModulePtr owned(made);
  wasm_byte_vec_t serialized;
  if (const ErrorPtr error(wasmtime_module_serialize(made, &serialized)); error) {
    return Failure{EIO, text_of(*error)};
  }
  code.assign(serialized.data, serialized.size);
  wasm_byte_vec_delete(&serialized);
  return std::nullopt;
}

std::optional<Failure> WasmtimeEngine::translate(std::string_view module, std::string& binary) {
  if (module.starts_with(std::string_view("\0asm", 4))) {
    binary = module;
    return std::nullopt;
  }
  wasm_byte_vec_t translated;
  const ErrorPtr error(wasmtime_wat2wasm(module.data(), module.size(), &translated));
  if (error) return Failure{ENOEXEC, text_of(*error)};
  binary.assign(translated.data, translated.size);
  wasm_byte_vec_delete(&translated);
  return std::nullopt;
}

std::optional<Failure> WasmtimeEngine::load(const char* code_path, const protocol::WasmSetup& setup) {
  memory_.set_limit(setup.max_memory);
  engine_.reset(wasm_engine_new_with_config(make_config(&memory_)));
  wasmtime_module_t* module = nullptr;
  if (const ErrorPtr error(wasmtime_module_deserialize_file(engine_.get(), code_path, &module)); error) {
    return Failure{EIO, text_of(*error)};
  }
  module_.reset(module);
  linker_.reset(wasmtime_linker_new(engine_.get()));
  if (const ErrorPtr error(wasmtime_linker_define_wasi(linker_.get())); error) {
    return Failure{EIO, text_of(*error)};
  }
  if (auto failure = define_exit()) return failure;
  wasmtime_instance_pre_t* resolved = nullptr;
  const ErrorPtr unknown(wasmtime_linker_instantiate_pre(linker_.get(), module_.get(), &resolved));
  if (!unknown) resolved_.reset(resolved);
  if (setup.parks) compile_rehearsal();
  return std::nullopt;
}

void WasmtimeEngine::compile_rehearsal() {
  std::string binary;
  wasmtime_module_t* made = nullptr;
  if (translate(kRehearsal, binary)) return;
  const ErrorPtr error(wasmtime_module_new(
      engine_.get(), reinterpret_cast<const std::uint8_t*>(binary.data()), binary.size(), &made));
  if (!error) rehearsal_.reset(made);
}

/// In a store of its own, of which nothing stays. Whatever fails in it fails in the run, and is told there.
void WasmtimeEngine::rehearse() {
  if (!rehearsal_) return;
  const StorePtr store(wasmtime_store_new(engine_.get(), nullptr, nullptr));
  auto* context = wasmtime_store_context(store.get());
  auto* wasi = wasi_config_new();
  wasi_config_inherit_stdout(wasi);  // /dev/null, until the call comes
  const ErrorPtr unset(wasmtime_context_set_wasi(context, wasi));
  wasmtime_instance_t instance{};
  wasmtime_extern_t start;
  wasm_trap_t* trap = nullptr;
  const ErrorPtr error(
      wasmtime_linker_instantiate(linker_.get(), context, rehearsal_.get(), &instance, &trap));
  if (!error && trap == nullptr &&
      wasmtime_instance_export_get(context, &instance, kStart.data(), kStart.size(), &start)) {
    const ErrorPtr failed(wasmtime_func_call(context, &start.of.func, nullptr, 0, nullptr, 0, &trap));
  }
  const TrapPtr owned(trap);
}

/// The engine's own proc_exit takes no code above 125.
std::optional<Failure> WasmtimeEngine::define_exit() {
  constexpr std::string_view kModule = "wasi_snapshot_preview1";
  constexpr std::string_view kName = "proc_exit";
  wasmtime_linker_allow_shadowing(linker_.get(), true);
  const std::unique_ptr<wasm_functype_t, Deleter<wasm_functype_delete>> type(
      wasm_functype_new_1_0(wasm_valtype_new_i32()));
  const ErrorPtr error(wasmtime_linker_define_func(linker_.get(), kModule.data(), kModule.size(),
                                                   kName.data(), kName.size(), type.get(), on_exit, this,
                                                   nullptr));
  if (error) return Failure{EIO, text_of(*error)};
  return std::nullopt;
}

/// A trap is how a host function leaves the program.
wasm_trap_t* WasmtimeEngine::on_exit(void* env, wasmtime_caller_t*, const wasmtime_val_t* arguments,
                                     std::size_t, wasmtime_val_t*, std::size_t) {
  static_cast<WasmtimeEngine*>(env)->exit_code_ = arguments[0].of.i32 & 0xff;
  constexpr std::string_view kText = "exit";
  return wasmtime_trap_new(kText.data(), kText.size());
}

void WasmtimeEngine::get_ready() {
  rehearse();
  make_store();
}

void WasmtimeEngine::make_store() {
  store_.reset(wasmtime_store_new(engine_.get(), nullptr, nullptr));
  wasmtime_store_limiter(store_.get(), -1, kMaxTableElements, 1, kMaxTables, kMaxMemories);
}

GuestEnd WasmtimeEngine::end_by(TrapPtr trap) {
  GuestEnd end;
  if (exit_code_) {
    end.exit_code = *exit_code_;
    return end;
  }
  end.trap = kind_of(*trap);
  end.out_of_memory = memory_.was_refused();
  end.text = text_of(*trap);
  return end;
}

wasi_config_t* make_wasi(const GuestCall& call, std::string& problem) {
  auto* wasi = wasi_config_new();
  std::vector<const char*> argv;
  for (const auto& argument : call.argv) argv.push_back(argument.c_str());
  bool fits = wasi_config_set_argv(wasi, argv.size(), argv.data());
  std::vector<std::string> names;
  std::vector<const char*> values;
  for (const auto& variable : call.env) {
    const auto equals = variable.find('=');
    names.push_back(variable.substr(0, equals));
    values.push_back(variable.c_str() + equals + 1);
  }
  std::vector<const char*> name_pointers;
  for (const auto& name : names) name_pointers.push_back(name.c_str());
  fits = fits && wasi_config_set_env(wasi, values.size(), name_pointers.data(), values.data());
  if (!fits) problem = "an argument or variable is not UTF-8, which WASI cannot pass";
  wasi_config_inherit_stdin(wasi);
  wasi_config_inherit_stdout(wasi);
  wasi_config_inherit_stderr(wasi);
  for (const auto& directory : call.directories) {
    if (!wasi_config_preopen_dir(wasi, directory.host.c_str(), directory.guest.c_str(), directory.writable)) {
      problem = directory.host + " cannot be opened as a directory";
    }
  }
  return wasi;
}

wasmtime_error_t* WasmtimeEngine::instantiate(wasmtime_context_t* context, wasm_trap_t** trap) {
  if (resolved_) return wasmtime_instance_pre_instantiate(resolved_.get(), context, &instance_, trap);
  return wasmtime_linker_instantiate(linker_.get(), context, module_.get(), &instance_, trap);
}

GuestEnd WasmtimeEngine::run(const GuestCall& call, void (*started)()) {
  if (!store_) make_store();
  auto* context = wasmtime_store_context(store_.get());
  std::string problem;
  auto* wasi = make_wasi(call, problem);
  if (!problem.empty()) {
    wasi_config_delete(wasi);
    return {.failure = Failure{EINVAL, problem}, .text = {}};
  }
  if (const ErrorPtr error(wasmtime_context_set_wasi(context, wasi)); error) {
    return {.failure = Failure{EIO, text_of(*error)}, .text = {}};
  }
  started();
  wasm_trap_t* trap = nullptr;
  if (const ErrorPtr error(instantiate(context, &trap)); error) {
    if (exit_code_) return {.exit_code = *exit_code_, .text = {}};
    return {.failure = Failure{memory_.was_refused() ? ENOMEM : ENOEXEC, text_of(*error)}, .text = {}};
  }
  if (trap != nullptr) return end_by(TrapPtr(trap));
  wasmtime_extern_t start;
  if (!wasmtime_instance_export_get(context, &instance_, kStart.data(), kStart.size(), &start) ||
      start.kind != WASMTIME_EXTERN_FUNC) {
    return {.failure = Failure{ENOEXEC, "it exports no function _start: a library, not a program"},
            .text = {}};
  }
  return call_start(start.of.func);
}

GuestEnd WasmtimeEngine::call_start(wasmtime_func_t& start) {
  auto* context = wasmtime_store_context(store_.get());
  wasm_trap_t* trap = nullptr;
  const ErrorPtr error(wasmtime_func_call(context, &start, nullptr, 0, nullptr, 0, &trap));
  if (trap != nullptr) return end_by(TrapPtr(trap));
  if (!error) return {.text = {}};
  if (exit_code_) return {.exit_code = *exit_code_, .text = {}};
  return {.trap = Trap::other, .text = text_of(*error)};
}

}  // namespace

std::unique_ptr<Engine> make_engine() {
  return std::make_unique<WasmtimeEngine>();
}

}  // namespace prx::wasm
