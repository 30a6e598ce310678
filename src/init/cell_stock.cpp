#include "init/cell_stock.hpp"

#include <sys/stat.h>

#include "init/sys.hpp"

namespace prx::init {
namespace {

using protocol::Confinement;
using protocol::Step;

std::span<const std::byte> map_file(int fd) {
  struct stat status{};
  if (raw_syscall(__NR_newfstatat, fd, as_arg(""), as_arg(&status), AT_EMPTY_PATH) < 0) return {};
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0 || size > protocol::kMaxPlan) return {};
  constexpr int kRead = 1;            // PROT_READ
  constexpr int kPrivateMapping = 2;  // MAP_PRIVATE
  const auto* address =
      mapped_at(raw_syscall(__NR_mmap, 0, static_cast<long>(size), kRead, kPrivateMapping, fd, 0));
  return {address, address == nullptr ? 0 : size};
}

}  // namespace

void CellStock::open(int plan_fd) {
  has_plan_ = true;
  if (!protocol::decode_plan(map_file(plan_fd), plan_)) {
    problem_ = {Step::plan, EBADMSG};
    return;
  }
  if (plan_.confinement == Confinement::launcher) {
    plan_fd_ = plan_fd;  // for the launched to read
  } else {
    close_fd(plan_fd);
  }
  if (!plan_.folder.empty()) {
    if (const long error = folders_.open(plan_.folder); error < 0)
      problem_ = {Step::mount, static_cast<int>(-error), plan_.folder};
  }
  if (plan_.confinement != Confinement::namespaces) return;
  needs_stock_ = plan_.own_network || plan_.high_id;
  // Only root may make namespaces as it is.
  if (plan_.high_id) return;
  const long error = raw_syscall(__NR_geteuid) == 0 ? 0 : enter_outer_user_namespace();
  if (error < 0) problem_ = {Step::identity, static_cast<int>(-error)};
}

/// Above what is given to people and containers (systemd: 0 to 2^31 - 1), different for each spawner and, up
/// to 512, for each of its slots.
std::uint32_t CellStock::next_id() {
  constexpr std::uint32_t kFirst = 0x80000000;
  constexpr unsigned kSlotBits = 9;
  constexpr std::uint32_t kPidBits = 0x3FFFFF;  // pid_max is at most 2^22
  const auto spawner = static_cast<std::uint32_t>(own_pid()) & kPidBits;
  return kFirst + ((spawner << kSlotBits) | (ids_given_++ & ((1U << kSlotBits) - 1)));
}

ConfineResult CellStock::make(Cell& cell) {
  cell = {};
  if (has_plan_) cell.plan = &plan_;
  if (folders_.is_open()) cell.folders = &folders_;
  cell.plan_fd = plan_fd_;
  if (plan_.own_network && plan_.confinement == Confinement::namespaces) {
    const long network = make_network_namespace();
    if (network < 0) return {Step::network, static_cast<int>(-network)};
    cell.network = static_cast<int>(network);
  }
  if (plan_.high_id) {
    if (const long error = make_identity(plan_, next_id(), cell.identity); error < 0) {
      release(cell);
      return {Step::identity, static_cast<int>(-error)};
    }
  }
  return {};
}

void CellStock::prepare() {
  tried_ = true;
  ready_ = problem_.ok() && make(stock_).ok();
}

Cell CellStock::take(ConfineResult& result) {
  result = problem_;
  tried_ = false;
  Cell cell;
  if (!result.ok()) return cell;
  if (ready_) {
    ready_ = false;
    return stock_;
  }
  result = make(cell);
  return cell;
}

void CellStock::release(Cell& cell) {
  close_fd(cell.network);
  cell.identity.close();
  cell.network = -1;
}

}  // namespace prx::init
