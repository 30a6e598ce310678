#include "policy/launchers.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "policy/wrappers.hpp"

namespace prx::policy {
namespace {

constexpr std::string_view kLaunchers =
    // interpreters, and what has one in it
    " python python2 python3 perl ruby node nodejs deno bun php lua luajit tclsh wish expect guile ghci R "
    "Rscript julia "
    "awk gawk mawk nawk original-awk sed ed ex vi vim nvim view emacs nano less more man zsh fish csh tcsh "
    "rbash pwsh "
    "osascript jshell irb gdb lldb sqlite3 psql mysql "
    // what starts what it is given, or what a file says
    "make gmake cmake ctest ninja meson bazel scons ant mvn gradle cargo go rustup npm npx pnpm pnpx yarn "
    "pip pip3 pipx uv "
    "uvx poetry bundle rake gem composer just task tox nox pytest ssh scp sftp rsh telnet nc ncat socat "
    "parallel watch "
    "flock script strace ltrace chroot unshare nsenter setpriv runuser su pkexec systemd-run at batch "
    "crontab screen tmux "
    "docker podman kubectl nerdctl lxc-attach machinectl dbus-run-session xvfb-run entr inotifywait "
    "run-parts ld.so "
    "ld-linux.so ld-linux-x86-64.so.2 coproc source . trap alias enable bind complete hash let mapfile "
    "readarray "
    "nix nix-shell direnv conda mise asdf prx prx-sh ";

struct Conditional {
  std::string_view program;
  std::string_view options;  ///< " -x --long ": a word that is one, or begins with a long one and '='
};

constexpr std::array kConditionals{
    Conditional{"find", " -exec -execdir -ok -okdir "},
    Conditional{"fd", " -x -X --exec --exec-batch "},
    Conditional{"tar",
                " --to-command --checkpoint-action -I --use-compress-program -F --info-script "
                "--new-volume-script --rsh-command "},
    Conditional{"rsync", " -e --rsh --rsync-path "},
    Conditional{"sort", " --compress-program "},
    Conditional{"zip", " -TT --unzip-command "},
    Conditional{"rg", " --pre --hostname-bin "},
    Conditional{"git",
                " -c --config-env --exec-path -x --exec --upload-pack --receive-pack --ext-diff "
                "--open-files-in-pager -O "},
};

// Anything else that is called as a subcommand of git is an alias, or a program git-NAME.
constexpr std::string_view kGitCommands =
    " add am apply archive blame branch bundle cat-file check-attr check-ignore checkout cherry cherry-pick "
    "clean clone "
    "commit count-objects describe diff diff-files diff-index diff-tree fetch for-each-ref format-patch fsck "
    "gc grep "
    "hash-object help init log ls-files ls-remote ls-tree merge merge-base mv notes pull push range-diff "
    "read-tree rebase "
    "reflog remote reset restore rev-list rev-parse revert rm shortlog show show-branch show-ref "
    "sparse-checkout stash "
    "status switch symbolic-ref tag update-index update-ref version whatchanged worktree write-tree ";

bool has_word(std::string_view list, std::string_view word) {
  if (word.empty() || word.find(' ') != std::string_view::npos) return false;
  return list.find(" " + std::string(word) + " ") != std::string_view::npos;
}

/// "python" of "python3.11"
std::string_view without_version(std::string_view name) {
  const auto end = name.find_last_not_of("0123456789.");
  return end == std::string_view::npos ? name : name.substr(0, end + 1);
}

bool is_standard_folder(std::string_view path) {
  constexpr std::array<std::string_view, 6> kFolders{"/bin",      "/usr/bin",       "/sbin",
                                                     "/usr/sbin", "/usr/local/bin", "/usr/local/sbin"};
  const auto folder = path.substr(0, path.rfind('/'));
  return std::find(kFolders.begin(), kFolders.end(), folder) != kFolders.end();
}

std::string launching_option(std::string_view name, const WordList& words) {
  for (const auto& one : kConditionals) {
    if (one.program != name) continue;
    for (std::size_t i = 1; i < words.size(); ++i) {
      if (!words[i]) continue;
      const std::string_view word = *words[i];
      const bool is_short = word.size() > 2 && word.front() == '-' && word[1] != '-' &&
                            has_word(one.options, word.substr(0, 2)) && name != "find";
      if (is_short || has_word(one.options, word.substr(0, word.find('=')))) {
        return std::string(name) + " " + std::string(word) + " names a command";
      }
    }
  }
  return {};
}

std::string git_alias(const WordList& words) {
  for (std::size_t i = 1; i < words.size(); ++i) {
    if (!words[i]) return "the subcommand of git is not known";
    const std::string& word = *words[i];
    if (word == "-C" || word == "--git-dir" || word == "--work-tree" || word == "--namespace") {
      ++i;
    } else if (!word.starts_with('-')) {
      return has_word(kGitCommands, word) ? "" : "git " + word + " may be an alias, or starts others";
    }
  }
  return {};
}

}  // namespace

std::string launches(const WordList& words) {
  if (words.empty() || !words.front()) return "the program is not known";
  const std::string_view path = *words.front();
  const auto name = program_name(path);
  const auto is_plain = [](unsigned char c) { return c > 0x20 && c < 0x7F; };
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_plain)) {
    return "the name of the program is not plain ASCII";
  }
  if (has_word(kLaunchers, name) || has_word(kLaunchers, without_version(name))) {
    return std::string(name) + " starts other programs";
  }
  if (path.find('/') != std::string_view::npos && !is_standard_folder(path)) {
    return std::string(path) + " is a file that may start others";
  }
  if (auto option = launching_option(name, words); !option.empty()) return option;
  return name == "git" ? git_alias(words) : std::string();
}

}  // namespace prx::policy
