#include "backends/wasm/compiled_code.hpp"

#include "backends/wasm/compiler.hpp"
#include "base/log.hpp"
#include "base/try.hpp"

namespace prx::backends {
namespace {

Result<CompiledCode> compile(const CodeSource& source) {
  PRX_TRY(auto code, compile_module(source.worker, source.module.fd, source.module.path));
  return CompiledCode{std::move(code), false};
}

}  // namespace

Result<CompiledCode> find_or_compile(const CodeSource& source) {
  const auto cache = CodeCache::open(source.cache);
  if (!cache) {
    base::log(base::LogLevel::warning, "compiled code is not kept: " + cache.error().message());
    return compile(source);
  }
  PRX_TRY(const auto module, read_module(source.module));
  const auto name = CodeCache::name_of(module, source.engine);
  if (auto code = cache->find(name)) return CompiledCode{*std::move(code), true};
  const auto lock = cache->lock(name);
  // Somebody else may have made it meanwhile.
  if (auto code = cache->find(name)) return CompiledCode{*std::move(code), true};
  PRX_TRY(auto made, compile(source));
  cache->store(name, made.code);
  return made;
}

}  // namespace prx::backends
