#include "sandbox/place_watch.hpp"

#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <map>
#include <optional>
#include <utility>

#include "base/fd.hpp"
#include "base/log.hpp"
#include "base/try.hpp"
#include "os/pipe.hpp"
#include "sandbox/harmless.hpp"
#include "sandbox/paths.hpp"

namespace prx::sandbox {
namespace {

struct Entry {
  dev_t device = 0;
  ino_t inode = 0;
  friend bool operator==(const Entry&, const Entry&) = default;
};

/// A directory below `base`; not open where it does not exist, or lies behind a link.
base::Fd open_below(int base, const std::string& name) {
  open_how how{};
  how.flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  return base::Fd(static_cast<int>(::syscall(SYS_openat2, base, name.c_str(), &how, sizeof(how))));
}

/// The directory that a place is an entry of, and its name there.
class Spot {
 public:
  Spot(int base, const std::string& place) {
    const auto slash = place.rfind('/');
    name_ = slash == std::string::npos ? place : place.substr(slash + 1);
    parent_ = open_below(base, slash == std::string::npos ? "." : place.substr(0, slash));
  }
  [[nodiscard]] std::optional<Entry> look() const {
    struct stat status{};
    if (!parent_.is_open() || ::fstatat(parent_.get(), name_.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      return std::nullopt;
    return Entry{status.st_dev, status.st_ino};
  }
  [[nodiscard]] int parent() const { return parent_.get(); }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  base::Fd parent_;
  std::string name_;
};

class PlaceWatch final : public core::WorkspaceWatch {
 public:
  PlaceWatch(std::shared_ptr<const std::vector<WatchedPlace>> places, Quarantine quarantine)
      : places_(std::move(places)), quarantine_(std::move(quarantine)) {}

  Result<void> begin() {
    for (const auto& place : *places_) {
      auto& base = bases_[place.base];
      if (!base.is_open()) base = base::Fd(::open(place.base.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
      if (!base.is_open()) return os::system_error("workspace", errno);
      before_.push_back(Spot(base.get(), place.name).look());
    }
    return {};
  }

  std::vector<Quarantined> end() override {
    std::vector<Quarantined> moved;
    for (std::size_t i = 0; i < places_->size(); ++i) {
      const auto& place = (*places_)[i];
      const Spot spot(bases_[place.base].get(), place.name);
      const auto now = spot.look();
      if (!now || now == before_[i]) continue;
      if (is_harmless(spot.parent(), spot.name().c_str(), place.harmless)) continue;
      moved.push_back(move(spot, join(place.base, place.name)));
    }
    return moved;
  }

 private:
  [[nodiscard]] Quarantined move(const Spot& spot, const std::string& path) const {
    auto moved = quarantine_.take(spot.parent(), spot.name(), path);
    if (moved) return {path, std::move(moved).value()};
    base::log(base::LogLevel::warning, moved.error().message());
    return {path, {}};
  }

  const std::shared_ptr<const std::vector<WatchedPlace>> places_;
  const Quarantine quarantine_;
  std::map<std::string, base::Fd> bases_;
  std::vector<std::optional<Entry>> before_;
};

}  // namespace

Result<std::unique_ptr<core::WorkspaceWatch>> watch_places(
    std::shared_ptr<const std::vector<WatchedPlace>> places, Quarantine quarantine) {
  auto watch = std::make_unique<PlaceWatch>(std::move(places), std::move(quarantine));
  PRX_CHECK(watch->begin());
  return std::unique_ptr<core::WorkspaceWatch>(std::move(watch));
}

}  // namespace prx::sandbox
