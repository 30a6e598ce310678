#pragma once

#include <cstdint>
#include <string_view>

#include "init/tree.hpp"

namespace prx::init {

/// The memory of a tree where no group counts it: what its processes have mapped, memory files and shared
/// memory that they hold open without, and the slot's own tmpfs. Each page is counted once, but for pages of
/// a file that has been written to privately, which each process counts.
class MemoryScan {
 public:
  explicit MemoryScan(const ProcessTree& tree);

  /// Whether the tree holds more than `limit`. First by figures that count shared pages too often, which are
  /// cheap; exactly, if those are above it.
  [[nodiscard]] bool exceeds(std::uint64_t limit);
  /// What exceeds() has found; not less than there was at that moment, as far as /proc has shown it.
  [[nodiscard]] std::uint64_t found() const { return total_; }

 private:
  void count_files(int pid);
  void count_file(int directory, const char* name);
  void count_hidden_files(int pid);
  void count_status(int pid);
  void count_mappings(int pid);
  void count_mapping_line(std::string_view line);
  void begin_mapping(std::string_view header);

  const ProcessTree& tree_;
  std::uint64_t memory_device_ = 0;  // of memory files, anonymous shared and System V memory
  std::uint64_t shm_device_ = 0;     // of the host's /dev/shm, where the slot has none of its own
  std::uint64_t own_device_ = 0;     // of the tmpfs that all of the slot's private directories are on
  std::uint64_t memory_mount_ = 0;   // of memory files
  std::uint64_t total_ = 0;

  /// How a mapping's lines count.
  enum class Mapping : std::uint8_t { anonymous, shared, file, elsewhere };
  Mapping mapping_ = Mapping::elsewhere;
};

}  // namespace prx::init
