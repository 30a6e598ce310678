#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace prx::bench {

/// Says what failed and ends the benchmark.
[[noreturn]] void give_up(const char* what, int error_number);

/// Memory of this process that is really there: every page has been written.
class ResidentMemory {
 public:
  explicit ResidentMemory(std::size_t size);
  ~ResidentMemory();
  ResidentMemory(const ResidentMemory&) = delete;
  ResidentMemory& operator=(const ResidentMemory&) = delete;

 private:
  void* memory_;
  std::size_t size_;
};

/// Threads of this process that wait.
class IdleThreads {
 public:
  explicit IdleThreads(std::size_t count);
  ~IdleThreads();
  IdleThreads(const IdleThreads&) = delete;
  IdleThreads& operator=(const IdleThreads&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::vector<std::thread> threads_;
};

/// As many descriptors as the system lets this process have.
void raise_descriptor_limit();

std::size_t open_descriptors();
/// Programs of a benchmark that have ended and are not reaped; those whose parent is about to are waited for.
std::size_t zombies_left();

/// Forgets the peak, so that peak_resident() is that of what follows.
void reset_peak_resident();
std::uint64_t resident();
std::uint64_t peak_resident();

/// Processor, kernel and memory, without the machine's name.
std::string describe_machine();

}  // namespace prx::bench
