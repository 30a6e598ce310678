#include "audit/chain_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "audit/records.hpp"
#include "base/try.hpp"

namespace prx::audit {
namespace {

constexpr std::size_t kHeadSize =
    256;  // one write of always the same length: nothing of an older one is left
constexpr int kRoomChecks = 60;
constexpr int kRoomCheckMilliseconds = 500;
constexpr std::size_t kReadSize = 65536;
constexpr off_t kTail = 4096;  // as much of its end as has the hash in it

std::string head_text(const Head& head) {
  auto object = io::Json::object();
  object.set("records", head.end.records).set("size", head.size).set("hash", head.end.hash);
  std::string text = object.text();
  text.resize(kHeadSize - 1, ' ');
  return text + "\n";
}

std::optional<Head> head_of(int fd) {
  std::array<char, kHeadSize> bytes{};
  const ssize_t size = ::pread(fd, bytes.data(), bytes.size(), 0);
  if (size <= 0) return std::nullopt;
  std::string_view text(bytes.data(), static_cast<std::size_t>(size));
  const auto read = io::JsonValue::parse_or_null(text);
  Head head;
  head.end.records = static_cast<std::uint64_t>(read["records"].number());
  head.end.hash = read["hash"].text();
  head.size = static_cast<std::uint64_t>(read["size"].number());
  if (head.end.hash.size() != kNoHash.size()) return std::nullopt;
  return head;
}

bool is_full(int number) {
  return number == ENOSPC || number == EDQUOT || number == EFBIG;
}

}  // namespace

std::string head_path(const std::string& path) {
  return path + ".head";
}

std::optional<Head> read_head(const std::string& path) {
  const base::Fd fd(::open(head_path(path).c_str(), O_RDONLY | O_CLOEXEC));
  return fd.is_open() ? head_of(fd.get()) : std::nullopt;
}

/// Between processes by the file, between threads of one by the mutex that the caller holds.
class ChainFile::Lock {
 public:
  explicit Lock(int fd) : fd_(fd) {
    while (::flock(fd_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~Lock() { ::flock(fd_, LOCK_UN); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int fd_;
};

Error ChainFile::error(const char* detail, int number) const {
  return {is_full(number) ? ErrorKind::exhausted : ErrorKind::setup_failed,
          "audit",
          options_.path,
          number,
          detail,
          is_full(number) ? "make room on its disk: nothing runs that cannot be written down"
                          : "correct security.audit.path, or set security.audit.enabled = false"};
}

Result<void> ChainFile::open() {
  const auto folder = std::filesystem::path(options_.path).parent_path();
  std::error_code failed;
  if (!std::filesystem::exists(folder, failed)) {
    std::filesystem::create_directories(folder, failed);
    if (failed) return error("its folder cannot be made", failed.value());
    ::chmod(folder.c_str(), 0700);
  }
  head_ = base::Fd(::open(head_path(options_.path).c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!head_.is_open()) return error("its head file cannot be opened", errno);
  opened_by_ = ::getpid();
  const Lock lock(head_.get());
  return open_log();
}

Result<void> ChainFile::open_log() {
  log_ = base::Fd(::open(options_.path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!log_.is_open()) return error("cannot be opened", errno);
  struct stat status{};
  if (::fstat(log_.get(), &status) != 0) return error("cannot be opened", errno);
  if (!S_ISREG(status.st_mode)) return error("is not a file", 0);
  return {};
}

Result<void> ChainFile::append(const io::Json& members) {
  for (int check = 0;; ++check) {
    Result<void> done;
    {
      const std::scoped_lock own(mutex_);
      if (opened_by_ != ::getpid()) PRX_CHECK(open());
      const Lock lock(head_.get());
      done = append_locked(members);
    }
    const bool waits = !done && options_.waits_for_room && is_full(done.error().os_errno);
    if (!waits || check == kRoomChecks) return done;
    // Nothing tells when there is room: it is tried again.
    ::poll(nullptr, 0, kRoomCheckMilliseconds);
  }
}

Result<void> ChainFile::append_locked(const io::Json& members) {
  PRX_TRY(auto head, recovered_head());
  PRX_TRY(head, write_record(members, head));
  // Before a rotation, too: whoever takes over from a writer that was ended within one has to know.
  PRX_CHECK(write_head(head));
  if (options_.max_size == 0 || head.size < options_.max_size) return {};
  PRX_TRY(head, rotate(head));
  return write_head(head);
}

/// The head, once it agrees with the log.
Result<Head> ChainFile::recovered_head() {
  struct stat open_file{};
  struct stat named_file{};
  const bool is_same = ::fstat(log_.get(), &open_file) == 0 &&
                       ::stat(options_.path.c_str(), &named_file) == 0 &&
                       open_file.st_ino == named_file.st_ino && open_file.st_dev == named_file.st_dev;
  if (!is_same) {  // another process has begun another file, or somebody took it away
    PRX_CHECK(open_log());
    if (::fstat(log_.get(), &open_file) != 0) return error("cannot be looked at", errno);
  }
  const auto size = static_cast<std::uint64_t>(open_file.st_size);
  const auto known = head_of(head_.get());
  if (known && known->size == size) return *known;
  if (!known && size == 0) return Head{};
  return take_over(known.value_or(Head{}), size, known.has_value());
}

/// Whether the file that the head speaks of is the one that was full last.
bool ChainFile::was_put_aside(const Head& known) const {
  const base::Fd fd(::open((options_.path + ".1").c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status{};
  if (!fd.is_open() || ::fstat(fd.get(), &status) != 0) return false;
  if (static_cast<std::uint64_t>(status.st_size) != known.size) return false;
  std::string tail(static_cast<std::size_t>(std::min<off_t>(status.st_size, kTail)), '\0');
  if (::pread(fd.get(), tail.data(), tail.size(), status.st_size - static_cast<off_t>(tail.size())) !=
      static_cast<ssize_t>(tail.size())) {
    return false;
  }
  return tail.ends_with("\"hash\":\"" + known.end.hash + "\"}\n");
}

Result<Head> ChainFile::take_over(const Head& known, std::uint64_t size, bool had_head) {
  if (size == 0 && was_put_aside(known)) return Head{known.end, 0};
  if (size < known.size) {
    // The chain goes on from what the head remembers: verify finds the gap.
    return write_record(recovery_record("records are missing", known.size - size), {known.end, size});
  }
  std::string rest;
  std::string piece(kReadSize, '\0');
  for (std::uint64_t at = known.size; at < size;) {
    const ssize_t got = ::pread(log_.get(), piece.data(), piece.size(), static_cast<off_t>(at));
    if (got <= 0) return error("cannot be read", got < 0 ? errno : 0);
    rest.append(piece, 0, static_cast<std::size_t>(got));
    at += static_cast<std::uint64_t>(got);
  }
  Head head{known.end, size};
  for (std::size_t at = 0, end = 0; (end = rest.find('\n', at)) != std::string::npos; at = end + 1) {
    const auto record = open_record(std::string_view(rest).substr(at, end - at));
    if (record) head.end = {record->number, record->hash};
  }
  const auto last_break = rest.rfind('\n');
  const std::size_t torn = rest.size() - (last_break == std::string::npos ? 0 : last_break + 1);
  if (torn > 0) {
    if (::write(log_.get(), "\n", 1) != 1) return error("cannot be written", errno);
    head.size += 1;
    return write_record(recovery_record("a writer was ended while it wrote", torn), head);
  }
  return had_head ? Result<Head>(head) : write_record(recovery_record("the head file was missing", 0), head);
}

Result<Head> ChainFile::write_record(const io::Json& members, const Head& before) {
  Head after;
  const std::string line = seal_record(members, before.end, after.end) + "\n";
  const ssize_t written = ::write(log_.get(), line.data(), line.size());
  if (written != static_cast<ssize_t>(line.size())) {
    const int number = written < 0 ? errno : ENOSPC;
    // Half a line would be a torn one.
    if (written > 0) (void)!::ftruncate(log_.get(), static_cast<off_t>(before.size));
    return error("cannot be written", number);
  }
  if (options_.fsync && ::fdatasync(log_.get()) != 0) return error("cannot be brought to the disk", errno);
  after.size = before.size + line.size();
  return after;
}

Result<void> ChainFile::write_head(const Head& head) {
  const std::string text = head_text(head);
  const ssize_t written = ::pwrite(head_.get(), text.data(), text.size(), 0);
  if (written != static_cast<ssize_t>(text.size())) return error("its head file cannot be written", errno);
  if (options_.fsync && ::fdatasync(head_.get()) != 0)
    return error("its head file cannot be brought to the disk", errno);
  return {};
}

/// The full file becomes PATH.1, PATH.1 becomes PATH.2, and so on; the chain goes on in another one.
Result<Head> ChainFile::rotate(const Head& before) {
  const auto name = [&](std::uint32_t number) {
    return number == 0 ? options_.path : fmt::format("{}.{}", options_.path, number);
  };
  for (std::uint32_t number = options_.keep; number > 0; --number) {
    if (::rename(name(number - 1).c_str(), name(number).c_str()) != 0 && errno != ENOENT) {
      return error("cannot be put aside", errno);
    }
  }
  PRX_CHECK(open_log());
  return Head{before.end, 0};
}

}  // namespace prx::audit
