// How a module ends that does not return.
#include <csignal>

#include "wasm/wasm_fixture.hpp"

namespace prx::test {
namespace {

class WasmTrap : public WasmTest {
 protected:
  /// A module whose `_start` is `body`.
  ExecutionOutput run_body(const std::string& body,
                           std::chrono::milliseconds timeout = std::chrono::seconds(30)) {
    return run_text(
        "(module (type $t (func)) (type $u (func (param i32))) (memory 1) (table 2 funcref) (func $other "
        "(param i32))"
        " (elem (i32.const 0) $other) (func $f (export \"_start\") " +
            body + "))",
        timeout);
  }
  ExecutionOutput run_text(const std::string& text,
                           std::chrono::milliseconds timeout = std::chrono::seconds(30)) {
    ExecutionRequest request;
    request.command = Program{workspace_.write("module.wat", text)};
    request.timeout = timeout;
    return run(request);
  }
};

std::string trap_of(const ExecutionOutput& output) {
  const auto* trapped = std::get_if<Trapped>(&output.ending);
  return trapped == nullptr ? "none: " + std::string(to_string(output.ending)) : trapped->trap;
}

struct Kind {
  std::string name;
  std::string body;
};

TEST_F(WasmTrap, EachHasItsName) {
  const std::vector<Kind> kinds{
      {"unreachable", "unreachable"},
      {"memory-out-of-bounds", "(drop (i32.load (i32.const 65533)))"},
      {"memory-out-of-bounds", "(memory.fill (i32.const 65535) (i32.const 0) (i32.const 2))"},
      {"table-out-of-bounds", "(drop (table.get 0 (i32.const 2)))"},
      {"table-out-of-bounds", "(call_indirect (type $t) (i32.const 2))"},
      {"indirect-call", "(call_indirect (type $t) (i32.const 1))"},  // nothing there
      {"indirect-call", "(call_indirect (type $t) (i32.const 0))"},  // of another type
      {"integer-overflow", "(drop (i32.div_s (i32.const 0x80000000) (i32.const -1)))"},
      {"integer-overflow", "(drop (i32.trunc_f32_s (f32.const 3e9)))"},
      {"division-by-zero", "(drop (i32.rem_u (i32.const 1) (i32.const 0)))"},
      {"invalid-conversion", "(drop (i32.trunc_f32_s (f32.const nan)))"},
      {"stack-overflow", "(call $f)"},
  };
  for (const auto& kind : kinds) {
    const auto output = run_body(kind.body);
    EXPECT_EQ(trap_of(output), kind.name) << kind.body;
    EXPECT_EQ(output.exit_code, 128 + SIGABRT);
    EXPECT_FALSE(output.warnings.empty());
  }
  for (const std::string body :
       {"", "(drop (i32.load (i32.const 65532)))",
        "(memory.fill (i32.const 65535) (i32.const 0) (i32.const 1))",
        "(call_indirect (type $u) (i32.const 0) (i32.const 0))", "(drop (table.get 0 (i32.const 1)))",
        "(drop (i32.div_s (i32.const 0x80000000) (i32.const 1)))"}) {
    const auto output = run_body(body);
    EXPECT_TRUE(std::holds_alternative<Exited>(output.ending)) << body;
    EXPECT_EQ(output.exit_code, 0);
  }
}

TEST_F(WasmTrap, WhatACompilerMakesOfItEndsTheSameWay) {
  for (const std::string kind : {"unreachable", "memory-out-of-bounds", "division-by-zero"}) {
    const auto output = run_guest({"trap", kind});
    EXPECT_EQ(trap_of(output), kind);
    EXPECT_EQ(output.out.bytes, "before") << "what was printed is kept";
  }
  EXPECT_TRUE(std::holds_alternative<Exited>(run_guest({"trap", "none"}).ending));
  EXPECT_TRUE(std::holds_alternative<Trapped>(run_guest({"recurse"}).ending));
}

TEST_F(WasmTrap, TheStartFunctionMayTrapExitOrStay) {
  const auto with = [](const std::string& body) {
    return "(module (import \"wasi_snapshot_preview1\" \"proc_exit\" (func $exit (param i32)))"
           " (func $f " +
           body + ") (start $f) (func (export \"_start\")))";
  };
  EXPECT_EQ(trap_of(run_text(with("unreachable"))), "unreachable");
  EXPECT_EQ(run_text(with("(call $exit (i32.const 7))")).exit_code, 7);
  EXPECT_TRUE(std::holds_alternative<TimedOut>(
      run_text(with("(loop (br 0))"), std::chrono::milliseconds(300)).ending));
  EXPECT_EQ(run_text(with("")).exit_code, 0);
}

TEST_F(WasmTrap, TablesAreBounded) {
  const auto with = [](const std::string& size) {
    return "(module (table " + size + " funcref) (func (export \"_start\")))";
  };
  EXPECT_EQ(run_text(with("1000000")).exit_code, 0);
  ExecutionRequest request;
  request.command = Program{workspace_.write("large.wat", with("1000001"))};
  EXPECT_EQ(must_fail(request).step, "engine");
  const auto grown = run_text(
      "(module (table 1 funcref) (func (export \"_start\") (if (i32.ne (i32.const -1) "
      "(table.grow 0 (ref.null func) (i32.const 1000000))) (then unreachable))))");
  EXPECT_EQ(grown.exit_code, 0) << "growing is refused to the module";
}

}  // namespace
}  // namespace prx::test
