// A program that uses prx only through a plugin.
int run_plugin();

int main() {
  return run_plugin();
}
