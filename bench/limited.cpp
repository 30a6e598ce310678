#include "bench/limited.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "bench/bare.hpp"
#include "bench/host.hpp"
#include "os/cgroup.hpp"
#include "os/cgroup_leaf.hpp"

namespace prx::bench {
namespace {

/// A directory to make groups in, and what limits one there.
struct Place {
  base::Fd directory;
  std::vector<std::pair<const char*, const char*>> limits;
};

constexpr const char* kMemory = "2147483648";
constexpr const char* kTasks = "256";

std::vector<Place> find_places() {
  std::vector<Place> places;
  const auto add = [&](const std::string& path, std::vector<std::pair<const char*, const char*>> limits) {
    if (path.empty() || limits.empty()) return;
    base::Fd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (directory.is_open()) places.push_back({std::move(directory), std::move(limits)});
  };
  const auto found = os::find_cgroup_places(os::read_cgroup_texts(), os::current_cgroup_owner());
  std::vector<std::pair<const char*, const char*>> unified;
  if (found.unified_memory) unified.emplace_back("memory.max", kMemory);
  if (found.unified_pids) unified.emplace_back("pids.max", kTasks);
  add(found.unified, std::move(unified));
  add(found.memory, {{"memory.limit_in_bytes", kMemory}});
  add(found.pids, {{"pids.max", kTasks}});
  return places;
}

void run_limited(const std::vector<Place>& places, const Argv& argv) {
  static int number = 0;
  std::vector<os::CgroupLeaf> groups;
  ++number;
  for (const auto& place : places) {
    groups.push_back(os::CgroupLeaf::create(place.directory.get(), {::getpid(), number}));
    for (const auto& [file, value] : place.limits) {
      if (groups.back().set(file, value) < 0) give_up(file, 0);
    }
  }
  auto child = spawn_bare(argv);
  // It may have ended already: then the kernel refuses.
  for (const auto& group : groups) (void)group.set("cgroup.procs", std::to_string(child.pid));
  finish_bare(std::move(child));
  for (auto& group : groups) group.remove();
}

}  // namespace

std::optional<Contender> bare_with_limits(std::string name, Argv argv) {
  auto places = std::make_shared<std::vector<Place>>(find_places());
  if (places->empty()) return std::nullopt;
  return Contender{std::move(name), [places = std::move(places), argv = std::move(argv)] {
                     return time_of([&] { run_limited(*places, argv); });
                   }};
}

}  // namespace prx::bench
