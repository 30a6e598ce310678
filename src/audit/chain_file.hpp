#pragma once

#include <sys/types.h>

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <prx/result.hpp>

#include "audit/chain.hpp"
#include "base/fd.hpp"

namespace prx::audit {

struct FileOptions {
  std::string path;
  bool fsync = false;
  bool waits_for_room = false;
  std::uint64_t max_size = 0;  ///< zero: any
  std::uint32_t keep = 8;
};

/// What the head file says: how far the log went.
struct Head {
  ChainEnd end;
  std::uint64_t size = 0;  ///< of the log's file
};

[[nodiscard]] std::string head_path(const std::string& path);
/// Nothing where there is none, or it says nothing.
[[nodiscard]] std::optional<Head> read_head(const std::string& path);

/// A file of chained records that many processes and threads append to. The head file beside it is its lock,
/// and says where the chain stands: so a writer reads one line, however long the log is.
///
/// A writer that is killed leaves a line that is torn, or a line that the head does not know: the next one
/// takes the line over, or closes the torn one, and says so in a record of kind "recovery".
class ChainFile {
 public:
  explicit ChainFile(FileOptions options) : options_(std::move(options)) {}

  /// Makes the folder and the files, mode 0600. Errors of step "audit", subject the path.
  [[nodiscard]] Result<void> open();

  /// Appends one record, or nothing at all. Errors as open(): the disk is full, the folder is gone.
  [[nodiscard]] Result<void> append(const io::Json& members);

 private:
  class Lock;

  [[nodiscard]] Result<void> open_log();
  [[nodiscard]] Result<void> append_locked(const io::Json& members);
  [[nodiscard]] Result<Head> recovered_head();
  [[nodiscard]] Result<Head> take_over(const Head& known, std::uint64_t size, bool had_head);
  [[nodiscard]] bool was_put_aside(const Head& known) const;
  [[nodiscard]] Result<Head> write_record(const io::Json& members, const Head& before);
  [[nodiscard]] Result<void> write_head(const Head& head);
  [[nodiscard]] Result<Head> rotate(const Head& before);
  [[nodiscard]] Error error(const char* detail, int number) const;

  FileOptions options_;
  std::mutex mutex_;
  base::Fd head_;
  base::Fd log_;
  pid_t opened_by_ = 0;  // a forked child has descriptors of its own: theirs would share one lock
};

}  // namespace prx::audit
