#include "bench/host.hpp"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>

namespace prx::bench {
namespace {

template <class F>
void for_each_entry(const char* directory, F&& visit) {
  auto* stream = ::opendir(directory);
  if (stream == nullptr) return;
  while (const auto* entry = ::readdir(stream)) {
    if (entry->d_name[0] != '.') visit(std::string_view(entry->d_name));
  }
  ::closedir(stream);
}

/// The value of a "Name:   123 kB" line of a file below /proc, in bytes.
std::uint64_t status_bytes(const char* file, std::string_view name) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name)) return std::strtoull(line.c_str() + name.size() + 1, nullptr, 10) << 10U;
  }
  return 0;
}

std::string value_of_line(const char* file, std::string_view name) {
  std::ifstream lines(file);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(name)) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

/// Zombies whose name is one that a benchmark starts: nobody else on the machine is counted.
std::size_t count_zombies() {
  std::size_t count = 0;
  for_each_entry("/proc", [&](std::string_view name) {
    if (name.front() < '0' || name.front() > '9') return;
    std::ifstream file("/proc/" + std::string(name) + "/stat");
    std::string line;
    std::getline(file, line);
    const auto close = line.rfind(')');
    const bool ours =
        line.find("(prx-init") != std::string::npos || line.find("(bench_") != std::string::npos;
    if (ours && close != std::string::npos && line.compare(close + 2, 1, "Z") == 0) ++count;
  });
  return count;
}

}  // namespace

void give_up(const char* what, int error_number) {
  fmt::print(stderr, "prx_bench: {}{}{}\n", what, error_number != 0 ? ": " : "",
             error_number != 0 ? std::strerror(error_number) : "");
  std::exit(1);
}

ResidentMemory::ResidentMemory(std::size_t size)
    : memory_(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)),
      size_(size) {
  if (memory_ == MAP_FAILED) give_up("mmap", errno);
  // Small pages, as a heap that grew over time has them: their tables are what makes a plain fork slow.
  ::madvise(memory_, size_, MADV_NOHUGEPAGE);
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  for (std::size_t at = 0; at < size_; at += page) static_cast<volatile char*>(memory_)[at] = 1;
}

ResidentMemory::~ResidentMemory() {
  ::munmap(memory_, size_);
}

IdleThreads::IdleThreads(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    threads_.emplace_back([this] {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return done_; });
    });
  }
}

IdleThreads::~IdleThreads() {
  {
    const std::scoped_lock lock(mutex_);
    done_ = true;
  }
  changed_.notify_all();
  for (auto& thread : threads_) thread.join();
}

void raise_descriptor_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) give_up("getrlimit", errno);
  limit.rlim_cur = limit.rlim_max;
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0) give_up("setrlimit", errno);
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for_each_entry("/proc/self/fd", [&](std::string_view) { ++count; });
  return count;
}

std::size_t zombies_left() {
  constexpr auto kBound = std::chrono::seconds(2);
  const auto start = std::chrono::steady_clock::now();
  auto count = count_zombies();
  while (count > 0 && std::chrono::steady_clock::now() - start < kBound) count = count_zombies();
  return count;
}

void reset_peak_resident() {
  std::ofstream("/proc/self/clear_refs") << "5";
}
std::uint64_t resident() {
  return status_bytes("/proc/self/status", "VmRSS:");
}
std::uint64_t peak_resident() {
  return status_bytes("/proc/self/status", "VmHWM:");
}

std::string describe_machine() {
  utsname system{};
  ::uname(&system);
  return fmt::format("{}, {} processors, {} GiB, {} {}", value_of_line("/proc/cpuinfo", "model name"),
                     ::get_nprocs(), status_bytes("/proc/meminfo", "MemTotal:") >> 30U, system.sysname,
                     system.release);
}

}  // namespace prx::bench
