#include <string_view>

#include "init/process.hpp"
#include "init/slot.hpp"
#include "init/spawner.hpp"
#include "init/sys.hpp"

/// `prx-init spawner` and `prx-init slot`, with the descriptors of init/sys.hpp. Not for people: started by
/// libprx, and in containers by their engine.
extern "C" int prx_init_main(int argc, char** argv) {
  using namespace prx::init;
  constexpr int kUsage = 2;
  if (argc != 2) return kUsage;
  const std::string_view role = argv[1];
  if (role == "spawner") return run_spawner();
  if (role == "slot") {
    // What a terminal sends to the host's group (Ctrl-C, Ctrl-Z) is the host's to pass on.
    raw_syscall(__NR_setsid);
    return run_only_slot();
  }
  return kUsage;
}
