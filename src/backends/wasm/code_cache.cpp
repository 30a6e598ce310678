#include "backends/wasm/code_cache.hpp"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "backends/wasm/own_file.hpp"
#include "base/log.hpp"
#include "base/try.hpp"
#include "os/memory_file.hpp"
#include "os/pipe.hpp"

namespace prx::backends {
namespace {

namespace fs = std::filesystem;

/// To be changed with whatever a worker's code depends on beside module, engine and processor.
constexpr std::string_view kFormat = "prx-wasm-1";
constexpr std::size_t kMaxEntry = std::size_t{1} << 30U;
constexpr std::string_view kSuffix = ".code";

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

Error cache_error(const std::string& path, int error_number) {
  auto error = os::system_error("cache", error_number);
  error.subject = path;
  if (error_number == EACCES || error_number == EPERM || error_number == EROFS)
    error.kind = ErrorKind::denied;
  return error;
}

/// What code for this processor may use.
std::string processor() {
  std::string text;
  const auto add = [&text](unsigned long value) { text += std::to_string(value) + ' '; };
  add(::getauxval(AT_HWCAP));
  add(::getauxval(AT_HWCAP2));
#if defined(__x86_64__)
  for (const unsigned leaf : {1U, 7U, 0x80000001U}) {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid_count(leaf, 0, &a, &b, &c, &d) == 0) continue;
    if (leaf == 1) b = 0;  // says which processor is asked
    for (const unsigned value : {a, b, c, d}) add(value);
  }
#endif
  return text;
}

/// A folder of this user's that nobody else can write to.
Result<void> make_private(const std::string& path) {
  std::error_code error;
  fs::create_directories(fs::path(path).parent_path(), error);
  if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) return cache_error(path, errno);
  struct stat status{};
  if (::lstat(path.c_str(), &status) != 0) return cache_error(path, errno);
  if (is_own(status, S_IFDIR)) return {};
  return cache_error(path, EPERM);
}

/// Whoever is first makes the key: a link, unlike a rename, replaces nothing.
Result<std::string> read_or_make_key(const std::string& path, std::size_t size) {
  if (auto key = read_own(path, size); key && key->size() == size) return *std::move(key);
  std::string fresh(size, '\0');
  if (::getrandom(fresh.data(), size, 0) != static_cast<ssize_t>(size)) return cache_error(path, errno);
  const auto temporary = temporary_name(path);
  int error = write_new(temporary, {fresh});
  if (error == 0 && ::link(temporary.c_str(), path.c_str()) != 0 && errno != EEXIST) error = errno;
  (void)::unlink(temporary.c_str());
  if (error != 0) return cache_error(path, error);
  if (auto key = read_own(path, size); key && key->size() == size) return *std::move(key);
  return cache_error(path, EPERM);
}

std::string entry_path(const std::string& folder, const std::string& name) {
  return folder + "/" + name + std::string(kSuffix);
}

std::string base_folder(const char* variable, const char* fallback) {
  if (const char* value = std::getenv(variable); value != nullptr && *value == '/') return value;
  std::error_code error;  // a home that is not there is not made
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/' && fs::is_directory(home, error)) return home + std::string(fallback);
  return {};
}

void log_miss(const std::string& name, const char* why) {
  base::log(base::LogLevel::warning, "compiled code " + name + " is not used: " + why);
}

/// Of a process that ended while it wrote.
void remove_abandoned(const fs::directory_entry& temporary) {
  std::error_code error;
  const auto written = temporary.last_write_time(error);
  if (!error && fs::file_time_type::clock::now() - written > std::chrono::hours(1)) {
    fs::remove(temporary.path(), error);
  }
}

}  // namespace

CodeCache::Folders CodeCache::default_folders() {
  auto cache = base_folder("XDG_CACHE_HOME", "/.cache");
  auto state = base_folder("XDG_STATE_HOME", "/.local/state");
  if (cache.empty() || state.empty()) return {};
  return {cache + "/openprx/wasm", state + "/openprx"};
}

Result<CodeCache> CodeCache::open(const Folders& folders, std::uintmax_t most) {
  if (folders.cache.empty() || folders.state.empty()) {
    return Error{ErrorKind::unavailable,
                 "cache",
                 {},
                 0,
                 "there is no folder for compiled code: HOME is not set",
                 "set HOME, or XDG_CACHE_HOME and XDG_STATE_HOME"};
  }
  PRX_CHECK(make_private(folders.state));
  PRX_CHECK(make_private(folders.cache));
  Key key{};
  PRX_TRY(const auto text, read_or_make_key(folders.state + "/wasm-cache.key", key.size()));
  std::transform(text.begin(), text.end(), key.begin(), [](char c) { return static_cast<std::byte>(c); });
  return CodeCache(folders.cache, key, most);
}

std::string CodeCache::name_of(std::string_view module, std::string_view engine) {
  base::Blake2b hash;
  for (const auto& part : {std::string(kFormat), std::string(engine), processor()}) {
    hash.add(bytes_of(part + '\n'));
  }
  hash.add(bytes_of(module));
  return base::to_hex(hash.finish());
}

bool CodeCache::is_kept(const Folders& folders, const std::string& name) {
  return !folders.cache.empty() && ::access(entry_path(folders.cache, name).c_str(), F_OK) == 0;
}

void CodeCache::forget(const Folders& folders, const std::string& name) {
  if (!folders.cache.empty()) (void)::unlink(entry_path(folders.cache, name).c_str());
}

base::Blake2b::Digest CodeCache::seal(const std::string& name, std::string_view code) const {
  base::Blake2b hash(key_);
  hash.add(bytes_of(name));
  hash.add(bytes_of(code));
  return hash.finish();
}

std::optional<base::Fd> CodeCache::find(const std::string& name) const {
  const auto path = entry_path(folder_, name);
  if (::access(path.c_str(), F_OK) != 0) return std::nullopt;
  const auto entry = read_own(path, kMaxEntry);
  if (!entry) {
    log_miss(name, "it is not a file of this user's alone");
    return std::nullopt;
  }
  base::Blake2b::Digest found{};
  if (entry->size() <= found.size()) {
    log_miss(name, "it is cut off");
    return std::nullopt;
  }
  std::transform(entry->begin(), entry->begin() + static_cast<std::ptrdiff_t>(found.size()), found.begin(),
                 [](char c) { return static_cast<std::byte>(c); });
  const auto code = std::string_view(*entry).substr(found.size());
  if (!base::is_same(found, seal(name, code))) {
    log_miss(name, "it is not what was stored");
    return std::nullopt;
  }
  (void)::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // the last use
  auto file = os::open_memory_file("prx-wasm-code", code);
  if (!file) return std::nullopt;
  return std::move(file).value();
}

void CodeCache::store(const std::string& name, const base::Fd& code) const {
  struct stat status{};
  if (::fstat(code.get(), &status) != 0) return;
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  if (::pread(code.get(), text.data(), text.size(), 0) != status.st_size) return;
  const auto digest = seal(name, text);
  const auto path = entry_path(folder_, name);
  const auto temporary = temporary_name(path);
  int error = write_new(temporary, {{reinterpret_cast<const char*>(digest.data()), digest.size()}, text});
  if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error == 0) return trim();
  (void)::unlink(temporary.c_str());
  base::log(base::LogLevel::warning, "compiled code is not kept: " + cache_error(path, error).message());
}

void CodeCache::trim() const {
  struct Entry {
    fs::path path;
    std::uintmax_t size;
    fs::file_time_type used;
  };
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  std::error_code error;
  for (const auto& file : fs::directory_iterator(folder_, error)) {
    if (file.path().extension() == ".tmp") remove_abandoned(file);
    if (file.path().extension() != kSuffix) continue;
    Entry entry{file.path(), file.file_size(error), file.last_write_time(error)};
    if (error) continue;
    total += entry.size;
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.used < b.used; });
  for (const auto& entry : entries) {
    if (total <= most_) return;
    fs::remove(entry.path, error);
    total -= entry.size;
  }
}

base::Fd CodeCache::lock(const std::string& name) const {
  // A few files for all entries: nothing has to be removed.
  base::Fd fd(::open((folder_ + "/lock." + name.substr(0, 1)).c_str(),
                     O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  while (fd.is_open() && ::flock(fd.get(), LOCK_EX) != 0) {
    if (errno != EINTR) return {};
  }
  return fd;
}

}  // namespace prx::backends
