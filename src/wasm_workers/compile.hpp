#pragma once

namespace prx::wasm {

/// The role "compile": the module at kCompileInputFd becomes code at kCompileOutputFd. The exit code is an
/// errno, with a text at kCompileMessageFd; 0: it is done.
int run_compile();

}  // namespace prx::wasm
