#include "sandbox/complaints.hpp"

#include <algorithm>
#include <array>
#include <cerrno>

namespace prx::sandbox {
namespace {

constexpr std::size_t kMaxTail = 16U << 10U;
constexpr std::size_t kMaxLines = 32;
constexpr std::size_t kMaxSubjects = 64;
constexpr std::size_t kMaxSubject = 4096;

struct Phrase {
  std::string_view text;  // lower case
  int error;
};
constexpr std::array<Phrase, 6> kPhrases{{
    {"no such file or directory", ENOENT},
    {"directory nonexistent", ENOENT},  // dash
    {"permission denied", EACCES},
    {"read-only file system", EROFS},
    {"readonly file system", EROFS},
    {"device or resource busy", EBUSY},
}};
constexpr std::array<std::string_view, 2> kMissingProgram{": command not found", ": not found"};

/// Of curl, glibc, musl and Python, Go, Rust, Node, git, apt. A refused connection is none of them: without a
/// network it can only be to the sandbox's own loopback, where nobody listens outside of it either.
constexpr std::array<std::string_view, 11> kNoNetwork{"could not resolve host",
                                                      "temporary failure in name resolution",
                                                      "temporary failure resolving",
                                                      "name or service not known",
                                                      "nodename nor servname provided",
                                                      "failed to lookup address information",
                                                      "no such host",
                                                      "getaddrinfo",
                                                      "network is unreachable",
                                                      "enetunreach",
                                                      "unable to resolve host address"};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view tail_of(std::string_view output) {
  return output.size() > kMaxTail ? output.substr(output.size() - kMaxTail) : output;
}

/// The last lines, the last one first.
std::vector<std::string_view> last_lines(std::string_view output) {
  std::vector<std::string_view> lines;
  output = tail_of(output);
  while (!output.empty() && lines.size() < kMaxLines) {
    const auto end = output.find_last_not_of("\r\n");
    if (end == std::string_view::npos) break;
    output = output.substr(0, end + 1);
    const auto begin = output.rfind('\n');
    lines.push_back(begin == std::string_view::npos ? output : output.substr(begin + 1));
    output = output.substr(0, begin == std::string_view::npos ? 0 : begin);
  }
  return lines;
}

/// Quotation marks in the languages that programs speak to each other: ASCII, and those of GNU in UTF-8.
constexpr std::array<std::array<std::string_view, 2>, 5> kQuotes{{{"'", "'"},
                                                                  {"\"", "\""},
                                                                  {"`", "'"},
                                                                  {"\xE2\x80\x98", "\xE2\x80\x99"},
                                                                  {"\xE2\x80\x9C", "\xE2\x80\x9D"}}};

class Subjects {
 public:
  void add(std::string_view text) {
    constexpr std::string_view kAround = " \t:;,.()[]<>'\"`";
    const auto begin = text.find_first_not_of(" \t:;,()[]<>'\"`");
    if (begin == std::string_view::npos) return;
    text = text.substr(begin, text.find_last_not_of(kAround) + 1 - begin);
    if (text.empty() || text.size() > kMaxSubject) return;
    if (std::find(found_.begin(), found_.end(), text) == found_.end()) found_.emplace_back(text);
  }
  [[nodiscard]] bool has_a_path() const {
    return std::any_of(found_.begin(), found_.end(),
                       [](const std::string& text) { return text.find('/') != std::string::npos; });
  }
  [[nodiscard]] std::vector<std::string> take() { return std::move(found_); }

 private:
  std::vector<std::string> found_;
};

void add_quoted(std::string_view line, Subjects& subjects) {
  for (const auto& [open, close] : kQuotes) {
    for (std::size_t at = line.find(open); at != std::string_view::npos; at = line.find(open, at)) {
      const auto begin = at + open.size();
      const auto end = line.find(close, begin);
      if (end == std::string_view::npos) break;
      subjects.add(line.substr(begin, end - begin));
      at = end + close.size();
    }
  }
}

/// "cat: /a b: Permission denied": the part before the words, whole and its last word.
void add_part_before(std::string_view before, Subjects& subjects) {
  while (!before.empty() && (before.back() == ' ' || before.back() == ':' || before.back() == '('))
    before.remove_suffix(1);
  const auto colon = before.rfind(": ");
  const auto part = colon == std::string_view::npos ? before : before.substr(colon + 2);
  subjects.add(part);
  const auto blank = part.rfind(' ');
  if (blank != std::string_view::npos) subjects.add(part.substr(blank + 1));
}

/// What is left of other ways to say it. The first word is who complains, if anything follows it.
void add_words_with_slash(std::string_view line, Subjects& subjects) {
  const auto first = line.find(' ');
  if (first != std::string_view::npos && first > 0 && line[first - 1] == ':') line.remove_prefix(first);
  while (!line.empty()) {
    const auto end = std::min(line.find_first_of(" \t"), line.size());
    const auto word = line.substr(0, end);
    if (word.find('/') != std::string_view::npos) subjects.add(word);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
}

}  // namespace

std::vector<Complaint> find_complaints(std::string_view output) {
  std::vector<Complaint> complaints;
  std::size_t count = 0;
  for (const auto line : last_lines(output)) {
    const auto words = lower(line);
    for (const auto& phrase : kPhrases) {
      const auto at = words.find(phrase.text);
      if (at == std::string::npos || count >= kMaxSubjects) continue;
      Subjects subjects;
      add_quoted(line, subjects);
      add_part_before(line.substr(0, at), subjects);
      if (!subjects.has_a_path()) add_words_with_slash(line, subjects);
      complaints.push_back({phrase.error, subjects.take()});
      count += complaints.back().subjects.size();
      break;
    }
  }
  return complaints;
}

std::vector<std::string> missing_programs_in(std::string_view output) {
  std::vector<std::string> missing;
  for (const auto line : last_lines(output)) {
    for (const auto phrase : kMissingProgram) {
      if (!line.ends_with(phrase)) continue;
      Subjects subjects;
      add_part_before(line.substr(0, line.size() - phrase.size()), subjects);
      for (auto& name : subjects.take()) missing.push_back(std::move(name));
    }
  }
  // env, xargs, nohup and their like
  for (auto& complaint : find_complaints(output)) {
    if (complaint.error != ENOENT) continue;
    for (auto& name : complaint.subjects) missing.push_back(std::move(name));
  }
  std::erase_if(missing, [](const std::string& name) { return name.find('/') != std::string::npos; });
  if (missing.size() > kMaxSubjects) missing.resize(kMaxSubjects);
  return missing;
}

bool complains_of_network(std::string_view output) {
  const auto words = lower(tail_of(output));
  return std::any_of(kNoNetwork.begin(), kNoNetwork.end(),
                     [&](std::string_view phrase) { return words.find(phrase) != std::string::npos; });
}

}  // namespace prx::sandbox
