#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <prx/result.hpp>

#include "base/blake2b.hpp"
#include "base/fd.hpp"

namespace prx::backends {

/// Compiled code of modules, kept in the user's cache folder. Loading code runs it, so an entry counts only
/// with a message authentication code under a key that is the user's alone (in prx's state folder); whatever
/// else is found is a miss and a line in the log. Thread-safe, and between processes, too.
class CodeCache {
 public:
  struct Folders {
    std::string cache;  ///< for the entries
    std::string state;  ///< for the key
  };
  /// $XDG_CACHE_HOME/openprx/wasm and $XDG_STATE_HOME/openprx, or below ~/.cache and ~/.local/state; empty
  /// where nobody's home is known.
  [[nodiscard]] static Folders default_folders();

  static constexpr std::uintmax_t kMaxSize = std::uintmax_t{2} << 30U;

  /// Makes both where they are missing. `most`: bytes that all entries together may have. Errors of step
  /// "cache": denied (somebody else could write there), setup_failed, unavailable (no folders).
  [[nodiscard]] static Result<CodeCache> open(const Folders& folders, std::uintmax_t most = kMaxSize);

  /// The name of an entry: everything that the code depends on.
  [[nodiscard]] static std::string name_of(std::string_view module, std::string_view engine);

  /// Whether there is an entry, good or not: nothing is made, read or marked as used.
  [[nodiscard]] static bool is_kept(const Folders& folders, const std::string& name);
  static void forget(const Folders& folders, const std::string& name);

  /// The code, as a sealed memory file.
  [[nodiscard]] std::optional<base::Fd> find(const std::string& name) const;
  /// Whole or not at all; a failure is logged. Then what was used least goes, until the rest fits.
  void store(const std::string& name, const base::Fd& code) const;
  /// Held while an entry is made, so that it is made once, however many ask. None where it cannot be had.
  [[nodiscard]] base::Fd lock(const std::string& name) const;

 private:
  using Key = std::array<std::byte, 32>;

  CodeCache(std::string folder, const Key& key, std::uintmax_t most)
      : folder_(std::move(folder)), key_(key), most_(most) {}

  [[nodiscard]] base::Blake2b::Digest seal(const std::string& name, std::string_view code) const;
  void trim() const;

  std::string folder_;
  Key key_;
  std::uintmax_t most_;
};

}  // namespace prx::backends
