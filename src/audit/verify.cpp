#include "audit/verify.hpp"

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "audit/chain_file.hpp"
#include "base/try.hpp"

namespace prx::audit {
namespace {

constexpr int kMostFiles = 1000;  // of security.audit.keep

class Verifier {
 public:
  explicit Verifier(const std::function<void(const Record&, std::string_view)>& each) : each_(each) {}

  Result<void> file(const std::string& path) {
    std::ifstream stream(path, std::ios::binary);
    if (!stream) return Error{ErrorKind::not_found, "audit", path, errno, "cannot be read", {}};
    name_ = std::filesystem::path(path).filename().string();
    line_ = 0;
    for (std::string line; std::getline(stream, line);) {
      ++line_;
      if (stream.eof()) {  // no line break
        note(fmt::format("the last line is torn ({} bytes): a writer was ended while it wrote", line.size()));
        break;
      }
      take(line);
    }
    return {};
  }

  /// `head` is what the head file says.
  Verification finish(const std::optional<Head>& head) {
    if (torn_) problem("is no record", *torn_);
    if (!head) {
      note("there is no head file: whether records were cut from the end cannot be told");
    } else if (!known_head_ && head->end.records > 0) {
      result_.problems.push_back(
          fmt::format("{}: the log was cut: the head file knows {} records", name_, head->end.records));
    } else if (end_ && end_->records > head->end.records) {
      note(fmt::format("{} records behind the head: a writer was ended before it moved the head",
                       end_->records - head->end.records));
    }
    return std::move(result_);
  }

  void expect(const std::optional<Head>& head) {
    if (head) wanted_ = head->end;
  }

 private:
  void note(std::string text) { result_.notes.push_back(fmt::format("{}:{}: {}", name_, line_, text)); }
  void problem(std::string_view text, const std::string& place) {
    result_.problems.push_back(place + ": " + std::string(text));
  }
  [[nodiscard]] std::string place() const { return fmt::format("{}:{}", name_, line_); }

  void take(const std::string& line) {
    const auto record = open_record(line);
    if (!record) {
      // A torn line is closed by the record behind it, which says how long it was.
      if (torn_) problem("is no record", *torn_);
      torn_ = place();
      torn_bytes_ = line.size();
      return;
    }
    if (torn_) {
      const bool is_closed = record->json["kind"].text() == "recovery" &&
                             record->json["bytes"].number() == static_cast<std::int64_t>(torn_bytes_);
      if (is_closed) {
        result_.notes.push_back(*torn_ + ": is torn, and closed by the next record");
      } else {
        problem("was changed: its hash is not that of its text", *torn_);
      }
      torn_.reset();
    }
    chain(*record);
    ++result_.records;
    each_(*record, line);
  }

  void chain(const Record& record) {
    if (!end_) {
      if (record.number != 1) note(fmt::format("begins with record {}: older files are gone", record.number));
    } else if (record.previous != end_->hash || record.number != end_->records + 1) {
      problem(fmt::format("does not follow record {}: records are missing, were changed or swapped",
                          end_->records),
              place());
    }
    end_ = {record.number, record.hash};
    if (wanted_.records == record.number && wanted_.hash == record.hash) known_head_ = true;
  }

  const std::function<void(const Record&, std::string_view)>& each_;
  Verification result_;
  std::string name_;
  std::size_t line_ = 0;
  std::optional<ChainEnd> end_;
  ChainEnd wanted_;
  bool known_head_ = false;
  std::optional<std::string> torn_;
  std::size_t torn_bytes_ = 0;
};

/// The oldest first.
std::vector<std::string> files_of(const std::string& path) {
  std::vector<std::string> files{path};
  std::error_code error;
  // A number can be missing for a while: a writer was ended while it put files aside.
  for (int number = 1; number <= kMostFiles; ++number) {
    const std::string older = fmt::format("{}.{}", path, number);
    if (std::filesystem::exists(older, error)) files.insert(files.begin(), older);
  }
  return files;
}

}  // namespace

Result<Verification> verify(const std::string& path,
                            const std::function<void(const Record&, std::string_view)>& each) {
  Verifier verifier(each);
  const auto head = read_head(path);
  verifier.expect(head);
  for (const auto& file : files_of(path)) PRX_CHECK(verifier.file(file));
  return verifier.finish(head);
}

}  // namespace prx::audit
