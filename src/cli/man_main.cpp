// Writes the manual pages of prx into a folder: run by the build, not installed.
#include <fcntl.h>

#include <algorithm>
#include <string>

#include "base/fd.hpp"
#include "cli/page.hpp"
#include "cli/text_out.hpp"

namespace {

bool write_page(const std::string& folder, const prx::cli::Page& page) {
  std::string name = page.title;
  std::replace(name.begin(), name.end(), ' ', '-');
  const std::string path = folder + "/" + name + ".1";
  const prx::base::Fd file(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  return file.is_open() && prx::cli::write_all(file.get(), prx::cli::man_page(page));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::string folder = argv[1];
  bool written = write_page(folder, prx::cli::top_level_page());
  written = write_page(folder, prx::cli::page_of(prx::cli::shell_entry())) && written;
  for (const auto& entry : prx::cli::all_commands()) {
    written = write_page(folder, prx::cli::page_of(entry)) && written;
  }
  return written ? 0 : 1;
}
