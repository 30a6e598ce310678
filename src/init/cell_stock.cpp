#include "init/cell_stock.hpp"

#include <linux/random.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "init/sys.hpp"

namespace prx::init {
namespace {

using protocol::Confinement;
using protocol::Step;

/// All of it is in the pipe before this program is started; its end is not waited for, since a child that
/// the host has forked meanwhile may hold the pipe open.
std::span<const std::byte> read_pipe(int fd) {
  int size = 0;
  if (raw_syscall(__NR_ioctl, fd, FIONREAD, as_arg(&size)) < 0 || size <= 0) return {};
  auto* memory = map_memory(static_cast<std::size_t>(size));
  if (memory == nullptr) return {};
  const long got = read_fd(fd, memory, static_cast<std::size_t>(size));
  return {memory, got < 0 ? 0 : static_cast<std::size_t>(got)};
}

std::span<const std::byte> read_file(int fd) {
  struct stat status{};
  if (raw_syscall(__NR_newfstatat, fd, as_arg(""), as_arg(&status), AT_EMPTY_PATH) < 0) return {};
  if (S_ISFIFO(status.st_mode)) return read_pipe(fd);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size == 0 || size > protocol::kMaxPlan) return {};
  constexpr int kRead = 1;            // PROT_READ
  constexpr int kPrivateMapping = 2;  // MAP_PRIVATE
  const auto* address =
      mapped_at(raw_syscall(__NR_mmap, 0, static_cast<long>(size), kRead, kPrivateMapping, fd, 0));
  return {address, address == nullptr ? 0 : size};
}

}  // namespace

void CellStock::use_groups(const GroupParents& parents) {
  parents_ = parents;
  for (const int directory : parents.directories) needs_stock_ |= directory >= 0;
  constexpr int kRoom = 1 << 30;  // numbers for as many groups again
  raw_syscall(__NR_getrandom, as_arg(&groups_made_), sizeof(groups_made_), GRND_NONBLOCK);
  groups_made_ &= kRoom - 1;
}

void CellStock::open(int plan_fd) {
  has_plan_ = true;
  if (!protocol::decode_plan(read_file(plan_fd), plan_)) {
    problem_ = {Step::plan, EBADMSG};
    return;
  }
  close_fd(plan_fd);
  if (plan_.confinement != Confinement::namespaces) return;
  needs_stock_ |= plan_.own_network || plan_.high_id;
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
  cell.group = ++groups_made_;
  const auto grouped = cell.groups.create(parents_, {own_pid(), cell.group}, cell.plan);
  if (!grouped.ok()) release(cell);
  return grouped;
}

void CellStock::prepare() {
  tried_ = true;
  ready_ = problem_.ok() && make(stock_).ok();
}

Cell CellStock::take(ConfineResult& result, bool more) {
  result = problem_;
  tried_ = !more;
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
  cell.groups.close();
  cell.network = -1;
}

void CellStock::drop() {
  if (!ready_) return;
  ready_ = false;
  release(stock_);
  stock_.groups.remove();
}

}  // namespace prx::init
