#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace prx::sandbox {

/// A line of output that says of something that it failed, and why.
struct Complaint {
  int error = 0;                      ///< the errno that its words stand for
  std::vector<std::string> subjects;  ///< what it may be about: names and paths as they stand there
};

/// The complaints in what a program has printed last: lines with the C library's words for ENOENT, EACCES and
/// EROFS (programs of every language print them). Bounded: the last 16 KiB, 32 lines and 64 subjects. Whether
/// a subject is a path at all is for the caller to find out: a program prints what it likes.
[[nodiscard]] std::vector<Complaint> find_complaints(std::string_view output);

/// The names in "NAME: command not found" and its like, those without a slash: nothing else is looked up in
/// PATH. With the same bounds.
[[nodiscard]] std::vector<std::string> missing_programs_in(std::string_view output);

/// Whether a program has failed to resolve a name or to reach an address beyond this machine, by its words.
[[nodiscard]] bool complains_of_network(std::string_view output);

}  // namespace prx::sandbox
