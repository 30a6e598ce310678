#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <prx/config.hpp>
#include <prx/units.hpp>

#include "io/json.hpp"

namespace prx::backends {

/// A path of the daemon's machine, as the container has it. Without what is mounted below it.
struct Share {
  std::string source;
  std::string target;
  bool writable = false;
};

/// A path of the container that is shown empty.
struct Mask {
  std::string target;
  bool directory = false;
};

/// How prx-init comes into a container.
struct InjectedInit {
  std::string volume;  ///< that holds it; empty: `file` is mounted
  std::string file;    ///< on the daemon's machine

  [[nodiscard]] std::string path_in_container() const;
};

/// What all containers of one runtime have.
struct ContainerPlan {
  std::string oci_runtime;  ///< empty: the daemon's default
  DockerNetwork network = DockerNetwork::none;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  Bytes memory;  ///< of all processes, and of what is written to /tmp and the home; zero: no limit
  double cpus = 0;
  std::uint32_t pids = 0;
  std::uint32_t open_files = 0;  ///< of a process; zero: as the daemon has it
  Bytes file_size;               ///< zero: no limit
  std::vector<Share> shares;
  std::vector<Mask> masks;
  std::string scratch;  ///< an empty directory of its own, where commands start; empty: they start in a share
  bool private_tmp = true;
  bool remove_itself = false;  ///< the daemon removes it once it has ended
};

/// Where a command's home is in every container.
inline constexpr const char* kHome = "/home/prx";

/// What differs from one container to the next.
struct ContainerSpec {
  std::string image;  ///< by its id: a name may mean another image by now
  InjectedInit init;
  std::vector<Share> identity_files;  ///< /etc/passwd, /etc/group
  std::vector<std::pair<std::string, std::string>> labels;
};

/// The body of a create call. Pure.
[[nodiscard]] io::Json make_create_body(const ContainerPlan& plan, const ContainerSpec& spec);

}  // namespace prx::backends
