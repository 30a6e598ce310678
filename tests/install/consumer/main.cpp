// A program of somebody else: includes and links nothing but prx.
#include <cstdio>

#include <prx/prx.hpp>

int main() {
  std::printf("prx %s\n", prx::version());

  auto config = prx::load_config({.settings = {"runtime.backend=native", "security.sandbox.backend=none"}});
  if (!config) {
    std::fprintf(stderr, "%s\n%s\n", config.error().message().c_str(), config.error().hint.c_str());
    return 1;
  }
  auto runtime = prx::create_runtime(*config);
  if (!runtime) {
    std::fprintf(stderr, "%s\n%s\n", runtime.error().message().c_str(), runtime.error().hint.c_str());
    return 1;
  }
  const auto output =
      (*runtime)->execute({.command = prx::ShellLine{"printf 'hello from a consumer'; exit 7"}});
  if (!output) {
    std::fprintf(stderr, "%s\n%s\n", output.error().message().c_str(), output.error().hint.c_str());
    return 1;
  }
  std::printf("%s %d: %s\n", std::string(prx::to_string(output->ending)).c_str(), output->exit_code,
              output->out.text().c_str());
  return 0;
}
