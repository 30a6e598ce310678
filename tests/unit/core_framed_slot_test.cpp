// Slots that are not prx-init: what a host believes them, and what it does not.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "core/send_fds.hpp"
#include "core/slot_runtime.hpp"
#include "os/pipe.hpp"
#include "protocol/cursor.hpp"
#include "protocol/frame_order.hpp"
#include "protocol/trailer.hpp"

namespace prx::core {
namespace {

using protocol::ChannelId;
using protocol::FrameHeader;
using protocol::FrameType;
using protocol::kHeaderSize;
using protocol::kInitialCredit;
using protocol::kMaxPayload;

/// The slot's end of its stream, as a person would write it.
class Peer {
 public:
  explicit Peer(base::Fd stream) : stream_(std::move(stream)) {}

  /// Whether the host still takes it.
  bool send(FrameType type, ChannelId channel, std::string_view payload, int fd = -1) const {
    std::string frame(kHeaderSize, '\0');
    protocol::encode_header({type, channel, 0, static_cast<std::uint32_t>(payload.size())},
                            std::as_writable_bytes(std::span(frame)).first<kHeaderSize>());
    frame += payload;
    const auto fds = fd < 0 ? std::span<const int>() : std::span<const int>(&fd, 1);
    std::string_view rest = frame;
    for (bool first = true; !rest.empty(); first = false) {
      const auto sent = send_with_fds(stream_.get(), std::as_bytes(std::span(rest)),
                                      first ? fds : std::span<const int>(), 0);
      if (sent < 0) return false;
      rest.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  bool send_u32(FrameType type, ChannelId channel, std::uint32_t value) const {
    std::array<std::byte, 4> payload{};
    protocol::Writer(payload).u32(value);
    return send(type, channel, {reinterpret_cast<const char*>(payload.data()), payload.size()});
  }
  bool hello(int fd = -1) const {
    return send(FrameType::hello, ChannelId::control, std::string_view("\1\0\0\0", 4), fd);
  }
  bool data(ChannelId channel, std::size_t size) const {
    return send(FrameType::data, channel, std::string(size, 'd'));
  }
  bool trailer(const protocol::Trailer& said) const {
    std::array<std::byte, protocol::kMaxTrailerSubject + 128> bytes{};
    const auto size = protocol::encode_trailer(said, bytes);
    return send(FrameType::trailer, ChannelId::control, {reinterpret_cast<const char*>(bytes.data()), size});
  }

  /// The next frame of the host; nothing at the end of the stream.
  std::optional<std::pair<FrameHeader, std::string>> next() const {
    std::array<std::byte, kHeaderSize> head{};
    if (!read_exactly(head)) return std::nullopt;
    FrameHeader header;
    EXPECT_TRUE(protocol::decode_header(head, header));
    std::string payload(header.length, '\0');
    if (!read_exactly(std::as_writable_bytes(std::span(payload)))) return std::nullopt;
    return std::pair(header, std::move(payload));
  }
  void read_request() const {
    while (const auto frame = next()) {
      EXPECT_EQ(frame->first.type, FrameType::request);
      if ((frame->first.flags & protocol::kMore) == 0) return;
    }
  }
  /// Whether the host ended the conversation, whatever it still said.
  bool is_left() const {
    while (next()) continue;
    return true;
  }
  void wait_until_readable() const {
    char byte = 0;
    (void)::recv(stream_.get(), &byte, 1, MSG_PEEK);
  }

 private:
  bool read_exactly(std::span<std::byte> to) const {
    while (!to.empty()) {
      const auto size = ::read(stream_.get(), to.data(), to.size());
      if (size <= 0) return false;
      to = to.subspan(static_cast<std::size_t>(size));
    }
    return true;
  }

  base::Fd stream_;
};

using Script = std::function<void(const Peer&)>;

/// One scripted peer for each slot that is asked for.
class ScriptedSlots final : public SlotSource {
 public:
  explicit ScriptedSlots(std::deque<Script> scripts) : scripts_(std::move(scripts)) {}
  ~ScriptedSlots() override {
    for (auto& thread : threads_) thread.join();
    EXPECT_TRUE(scripts_.empty()) << "a slot was not asked for";
  }

  Result<Slot> take(const SlotWish&) override { return make(); }
  Result<Slot> take_cold() override { return make(); }
  void release(std::uint32_t) override {}
  void kill(std::uint32_t) override {}
  void clean_up_after(std::uint32_t) override {}

 private:
  Result<Slot> make() {
    if (scripts_.empty())
      return Error{ErrorKind::exhausted, "script", {}, 0, "one slot more than expected", {}};
    auto script = std::move(scripts_.front());
    scripts_.pop_front();
    auto ends = os::open_socket_pair(SOCK_STREAM).value();
    threads_.emplace_back(
        [script = std::move(script), peer = Peer(std::move(ends.second))] { script(peer); });
    return Slot{.id = 1,
                .kind = SlotKind::warm,
                .stream = std::move(ends.first),
                .streams = SlotStreams::frames};
  }

  std::deque<Script> scripts_;
  std::vector<std::thread> threads_;
};

Result<ExecutionOutput> run(std::deque<Script> scripts, ExecutionRequest request = {}) {
  Settings settings;
  settings.shell = "/bin/sh";
  settings.max_output = Bytes{1U << 20U};
  SlotRuntime runtime(
      settings, [&] { return std::make_unique<ScriptedSlots>(std::move(scripts)); },
      [] { return Availability{}; });
  if (std::holds_alternative<ShellLine>(request.command)) request.command = ShellLine{"x"};
  return runtime.execute(std::move(request));
}

ExecutionRequest with_input(std::string bytes) {
  ExecutionRequest request;
  request.input = StdinBytes{std::move(bytes)};
  return request;
}
ExecutionRequest on_terminal() {
  ExecutionRequest request;
  request.terminal = Terminal{};
  return request;
}

/// What follows a good greeting; the host must leave.
void expect_refused(const std::function<void(const Peer&)>& wrong, ExecutionRequest request = {}) {
  const auto result = run({[&](const Peer& peer) {
                            peer.hello();
                            peer.read_request();
                            wrong(peer);
                            EXPECT_TRUE(peer.is_left());
                          }},
                          std::move(request));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::internal) << result.error().message();
}

TEST(FramedSlot, AWellBehavedOneIsBelieved) {
  const auto result = run({[](const Peer& peer) {
    peer.hello();
    peer.read_request();
    peer.data(ChannelId::out, 5);
    peer.data(ChannelId::err, 3);
    peer.send(FrameType::end, ChannelId::out, {});
    peer.data(ChannelId::err, 3);
    peer.trailer({.wait_status = 7 << 8});
  }});
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->exit_code, 7);
  EXPECT_EQ(result->out.bytes, "ddddd");
  EXPECT_EQ(result->err.bytes, "dddddd");
  EXPECT_TRUE(result->warnings.empty());
}

TEST(FramedSlot, WhatItCouldNotSendIsCounted) {
  const auto result = run({[](const Peer& peer) {
    peer.hello();
    peer.read_request();
    peer.data(ChannelId::out, 5);
    peer.trailer({.dropped = {1000, 0}});
  }});
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->out.total_bytes, 1005U);
  EXPECT_EQ(result->out.bytes, "ddddd");
  EXPECT_EQ(result->out.omitted, 1000U);
  EXPECT_EQ(result->out.gap_at, 5U);
  EXPECT_EQ(result->err.total_bytes, 0U);
  EXPECT_EQ(result->warnings.size(), 1U);
}

TEST(FramedSlot, ItsCreditEnds) {
  // Nobody reads there, so no more is granted than the pipe holds.
  const auto pipe = os::open_pipe().value();
  ExecutionRequest request;
  request.out = OutputFd{pipe.second.get()};
  const std::uint32_t most = kInitialCredit + (64U << 10U);
  expect_refused(
      [&](const Peer& peer) {
        for (std::uint32_t sent = 0; sent <= most; sent += kMaxPayload)
          peer.data(ChannelId::out, kMaxPayload);
      },
      request);
}

TEST(FramedSlot, WithinItsCreditItMaySendMuch) {
  constexpr std::uint64_t kAll = 64U << 20U;
  const auto result = run({[](const Peer& peer) {
    peer.hello();
    peer.read_request();
    protocol::ChannelFlow flow;
    for (std::uint64_t sent = 0; sent < kAll; sent += kMaxPayload) {
      while (!flow.take(kMaxPayload)) {
        const auto frame = peer.next();
        ASSERT_TRUE(frame);
        ASSERT_EQ(frame->first.type, FrameType::credit);
        ASSERT_EQ(frame->first.channel, ChannelId::out);
        ASSERT_TRUE(flow.grant(protocol::Reader(std::as_bytes(std::span(frame->second))).u32()));
      }
      ASSERT_TRUE(peer.data(ChannelId::out, kMaxPayload));
    }
    peer.trailer({});
  }});
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->out.total_bytes, kAll);
}

TEST(FramedSlot, NothingComesAfterItsEnd) {
  expect_refused([](const Peer& peer) {
    peer.send(FrameType::end, ChannelId::out, {});
    peer.data(ChannelId::out, 1);
  });
}

TEST(FramedSlot, ItGrantsNoMoreThanWasSent) {
  const auto granting = [](std::uint32_t bytes) {
    return [bytes](const Peer& peer) {
      (void)peer.next();  // 100 bytes of stdin
      peer.send_u32(FrameType::credit, ChannelId::in, bytes);
    };
  };
  expect_refused(granting(101), with_input(std::string(100, 'x')));
  expect_refused(granting(0xFFFF'FFFFU), with_input(std::string(100, 'x')));
  const auto right = run({[&](const Peer& peer) {
                           peer.hello();
                           peer.read_request();
                           granting(100)(peer);
                           peer.trailer({});
                         }},
                         with_input(std::string(100, 'x')));
  EXPECT_TRUE(right) << right.error().message();
}

TEST(FramedSlot, AStreamThatIsNotThereIsNotSpokenOf) {
  expect_refused([](const Peer& peer) { peer.send_u32(FrameType::credit, ChannelId::in, 0); });
  expect_refused([](const Peer& peer) { peer.send(FrameType::end, ChannelId::in, {}); });
  expect_refused([](const Peer& peer) { peer.data(ChannelId::in, 1); }, with_input("x"));
  expect_refused([](const Peer& peer) { peer.data(ChannelId::err, 1); }, on_terminal());
  expect_refused([](const Peer& peer) { peer.send(FrameType::terminal, ChannelId::control, {}); },
                 on_terminal());
}

TEST(FramedSlot, ItRefusesStdinOnceAndGrantsNothingAfterwards) {
  const auto refuse = [](const Peer& peer) { peer.send(FrameType::end, ChannelId::in, {}); };
  expect_refused(
      [&](const Peer& peer) {
        refuse(peer);
        refuse(peer);
      },
      with_input("x"));
  expect_refused(
      [&](const Peer& peer) {
        refuse(peer);
        peer.send_u32(FrameType::credit, ChannelId::in, 1);
      },
      with_input("x"));
}

TEST(FramedSlot, MoreLostThanAnyPipeHoldsIsNotBelieved) {
  expect_refused([](const Peer& peer) { peer.trailer({.dropped = {~0ULL, 0}}); });
}

TEST(FramedSlot, ADescriptorIsNotTaken) {
  const auto pipe = os::open_pipe().value();
  const auto result = run({[&](const Peer& peer) {
    peer.hello(pipe.second.get());
    peer.read_request();
    peer.trailer({});
  }});
  EXPECT_TRUE(result) << result.error().message();
}

TEST(FramedSlot, OneThatDoesNotReadGetsNoMoreCredit) {
  // Otherwise the grants that it does not read would grow in the host without bound.
  constexpr std::uint64_t kTooMuch = 1ULL << 30U;
  std::atomic<std::uint64_t> sent = 0;
  const auto result = run({[&](const Peer& peer) {
    peer.hello();
    peer.read_request();
    while (sent < kTooMuch && peer.data(ChannelId::out, kMaxPayload)) sent += kMaxPayload;
  }});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::internal) << result.error().message();
  EXPECT_LT(sent, kTooMuch);
}

TEST(FramedSlot, StdinComesWithinItsCreditAndEnds) {
  const std::string input(3 * kInitialCredit, 'x');
  std::size_t got = 0;
  const auto result = run({[&](const Peer& peer) {
                            peer.hello();
                            peer.read_request();
                            protocol::HostFrameOrder order;
                            ASSERT_TRUE(order.accept({FrameType::request, ChannelId::control, 0, 1}));
                            while (const auto frame = peer.next()) {
                              ASSERT_TRUE(order.accept(frame->first));
                              if (frame->first.type == FrameType::end) break;
                              got += frame->second.size();
                              if (order.stdin_flow().credit() > 0) continue;
                              ASSERT_TRUE(order.stdin_flow().grant(kInitialCredit));
                              peer.send_u32(FrameType::credit, ChannelId::in, kInitialCredit);
                            }
                            peer.trailer({});
                          }},
                          with_input(input));
  EXPECT_TRUE(result) << result.error().message();
  EXPECT_EQ(got, input.size());
}

TEST(FramedSlot, OneThatDiedBeforeItReadTheRequestIsReplaced) {
  const auto result = run({[](const Peer& peer) {
                             peer.hello();
                             peer.wait_until_readable();
                           },
                           [](const Peer& peer) {
                             peer.hello();
                             peer.read_request();
                             peer.trailer({.wait_status = 5 << 8});
                           }});
  ASSERT_TRUE(result) << result.error().message();
  EXPECT_EQ(result->exit_code, 5);
}

TEST(FramedSlot, OneThatDiedWithStdinUnreadMayHaveRunTheCommand) {
  const auto result = run({[](const Peer& peer) {
                            peer.hello();
                            peer.read_request();
                            peer.wait_until_readable();  // stdin; its end is a reset as well
                          }},
                          with_input("x"));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::disconnected) << result.error().message();
}

TEST(FramedSlot, OneThatEndsWithoutATrailerIsSaidToHave) {
  const auto result = run({[](const Peer& peer) {
    peer.hello();
    peer.read_request();
    peer.data(ChannelId::out, 5);
  }});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().kind, ErrorKind::disconnected) << result.error().message();
}

}  // namespace
}  // namespace prx::core
