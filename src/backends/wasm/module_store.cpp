#include "backends/wasm/module_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "backends/wasm/compiled_code.hpp"
#include "backends/wasm/compiler.hpp"
#include "backends/wasm/own_file.hpp"
#include "backends/wasm/worker_program.hpp"
#include "base/try.hpp"
#include "os/pipe.hpp"

namespace prx::backends {
namespace {

namespace fs = std::filesystem;

bool is_module_name(const fs::path& path) {
  return path.extension() == ".wasm" || path.extension() == ".wat";
}

std::string current_directory() {
  std::error_code error;
  return fs::current_path(error).string();
}

Error store_error(const char* step, const std::string& path, int error_number) {
  auto error = os::system_error(step, error_number);
  error.subject = path;
  if (error_number == EACCES || error_number == EPERM || error_number == EROFS)
    error.kind = ErrorKind::denied;
  return error;
}

/// What a command could name, and a listing show.
Result<void> check_name(const std::string& name) {
  const auto is_plain = [](char c) { return static_cast<unsigned char>(c) > ' ' && c != '/' && c != '\x7f'; };
  if (!name.empty() && name.front() != '.' && std::all_of(name.begin(), name.end(), is_plain)) return {};
  return Error{ErrorKind::invalid_request,
               "install",
               name,
               0,
               "that is no name for a module",
               "use one without slashes and blanks that does not begin with a dot"};
}

/// A name that others see only with all of its content.
Result<void> put(const std::string& path, const std::string& content, bool replace) {
  constexpr mode_t kMode = 0644;
  const auto temporary = temporary_name(path);
  int error = write_new(temporary, {content});
  if (error == 0 && ::chmod(temporary.c_str(), kMode) != 0) error = errno;
  if (error == 0) {
    constexpr unsigned kNoReplace = 1;  // RENAME_NOREPLACE
    if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), replace ? 0 : kNoReplace) != 0)
      error = errno;
  }
  if (error == 0) return {};
  (void)::unlink(temporary.c_str());
  if (error != EEXIST) return store_error("install", path, error);
  return Error{ErrorKind::invalid_request,
               "install",
               path,
               0,
               "there is such a module already; it was left as it is",
               "--force replaces it, --as gives this one another name"};
}

Error cannot_run(const std::string& path, std::string problem) {
  return {ErrorKind::not_executable,
          "install",
          path,
          0,
          std::move(problem),
          "`prx wasm inspect` shows what it is and what it needs"};
}

}  // namespace

ModuleStore::ModuleStore(const Config& config)
    : engine_(config.runtime.wasm.engine),
      folder_(config.runtime.wasm.module_path),
      cache_(CodeCache::default_folders()) {}

std::string ModuleStore::entry_of(const std::string& content) const {
  const auto worker = open_worker(engine_);
  return worker ? CodeCache::name_of(content, describe_worker(engine_, *worker)) : std::string();
}

Result<ModuleFacts> ModuleStore::facts_of(const ModuleFile& file, const std::string& content) const {
  if (is_binary(content)) return read_facts(content);
  PRX_TRY(const auto worker, open_worker(engine_));
  PRX_TRY(const auto binary, translate_module(worker, file.fd, file.path));
  struct stat status{};
  if (::fstat(binary.get(), &status) != 0) return os::system_error("fstat", errno);
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  if (::pread(binary.get(), bytes.data(), bytes.size(), 0) != status.st_size)
    return os::system_error("read", errno);
  return read_facts(bytes);
}

Result<ModuleReport> ModuleStore::report_of(const std::string& name, const ModuleFile& file,
                                            const std::string& content) const {
  ModuleReport report;
  report.name = name;
  report.path = file.path;
  report.size = content.size();
  const auto entry = entry_of(content);
  report.is_compiled = !entry.empty() && CodeCache::is_kept(cache_, entry);
  auto facts = facts_of(file, content);
  if (!facts) {
    facts.error().subject = file.path;
    return facts.error();
  }
  report.problem = why_no_program(*facts);
  report.facts = *std::move(facts);
  return report;
}

Result<ModuleReport> ModuleStore::inspect(const std::string& name) const {
  PRX_TRY(const auto file, open_module(name, folder_, current_directory()));
  PRX_TRY(const auto content, read_module(file));
  return report_of(name, file, content);
}

Result<std::vector<ModuleReport>> ModuleStore::list() const {
  std::vector<ModuleReport> reports;
  std::error_code error;
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    const auto& path = at->path();
    if (!is_module_name(path) || path.filename().string().front() == '.') continue;
    auto report = inspect(path.string());
    if (report) {
      reports.push_back(*std::move(report));
    } else {
      std::error_code unknown;
      const auto size = fs::file_size(path, unknown);
      reports.push_back({.name = {},
                         .path = path.string(),
                         .size = unknown ? 0 : size,
                         .facts = {},
                         .problem = report.error().detail});
    }
    reports.back().name = path.stem().string();
  }
  if (error && error.value() != ENOENT) return store_error("list", folder_, error.value());
  std::sort(reports.begin(), reports.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
  return reports;
}

Result<CompileReport> ModuleStore::compile_file(const ModuleFile& file) const {
  PRX_TRY(const auto worker, open_worker(engine_));
  PRX_CHECK(CodeCache::open(cache_));
  const auto engine = describe_worker(engine_, worker);
  const auto begin = std::chrono::steady_clock::now();
  PRX_TRY(const auto compiled, find_or_compile({worker, file, engine, cache_}));
  CompileReport report;
  report.path = file.path;
  report.was_kept = compiled.was_kept;
  report.took =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
  struct stat status{};
  if (::fstat(compiled.code.get(), &status) == 0)
    report.code_size = static_cast<std::uint64_t>(status.st_size);
  PRX_TRY(const auto content, read_module(file));
  if (CodeCache::is_kept(cache_, CodeCache::name_of(content, engine))) return report;
  return Error{ErrorKind::exhausted,
               "cache",
               cache_.cache,
               0,
               "the code was made and could not be kept",
               "make room there, or set XDG_CACHE_HOME"};
}

Result<CompileReport> ModuleStore::compile(const std::string& name) const {
  PRX_TRY(const auto file, open_module(name, folder_, current_directory()));
  return compile_file(file);
}

Result<ModuleReport> ModuleStore::install(const std::string& file, const std::string& name,
                                          bool replace) const {
  const auto as = name.empty() ? fs::path(file).stem().string() : name;
  PRX_CHECK(check_name(as));
  const auto path = file.find('/') == std::string::npos ? "./" + file : file;
  PRX_TRY(const auto source, open_module(path, folder_, current_directory()));
  PRX_TRY(const auto content, read_module(source));
  PRX_TRY(const auto looked_at, report_of(as, source, content));
  if (!looked_at.problem.empty()) return cannot_run(source.path, looked_at.problem);
  PRX_CHECK(compile_file(source));
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) return store_error("install", folder_, error.value());
  const auto target = (fs::path(folder_) / (as + (is_binary(content) ? ".wasm" : ".wat"))).string();
  PRX_CHECK(put(target, content, replace));
  return inspect(target).and_then([&](ModuleReport report) -> Result<ModuleReport> {
    report.name = as;
    return report;
  });
}

Result<std::string> ModuleStore::remove(const std::string& name) const {
  if (name.find('/') != std::string::npos) {
    return Error{ErrorKind::invalid_request,
                 "remove",
                 name,
                 0,
                 "only modules of runtime.wasm.module_path are removed",
                 "give the name as `prx wasm list` shows it"};
  }
  PRX_TRY(const auto file, open_module(name, folder_, current_directory()));
  const auto content = read_module(file);
  if (::unlink(file.path.c_str()) != 0) return store_error("remove", file.path, errno);
  // Last: a process that runs it meanwhile would only have made the code anew.
  const auto entry = content ? entry_of(*content) : std::string();
  if (!entry.empty()) CodeCache::forget(cache_, entry);
  return file.path;
}

}  // namespace prx::backends
