// print_env [-0]: prints its environment, one variable a line (with -0: ended by NUL), nothing added.
// Proves what a command's environment is: a shell would add variables of its own (PWD, SHLVL, _).
#include <cstdio>
#include <cstring>

extern char** environ;

int main(int argc, char** argv) {
  const char end = argc > 1 && std::strcmp(argv[1], "-0") == 0 ? '\0' : '\n';
  for (char** variable = environ; *variable != nullptr; ++variable) {
    std::fputs(*variable, stdout);
    std::putchar(end);
  }
  return std::fflush(stdout) == 0 ? 0 : 1;
}
