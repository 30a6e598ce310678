#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

#include "protocol/frame_order.hpp"

namespace prx::protocol {
namespace {

constexpr FrameHeader kHello{FrameType::hello, ChannelId::control, 0, 4};
constexpr FrameHeader kTerminal{FrameType::terminal, ChannelId::control, 0, 0};
constexpr FrameHeader kTrailer{FrameType::trailer, ChannelId::control, 0, 100};
constexpr FrameHeader kRequest{FrameType::request, ChannelId::control, 0, 100};
constexpr FrameHeader kRequestPart{FrameType::request, ChannelId::control, kMore, 100};

constexpr FrameHeader data(ChannelId channel, std::uint32_t length) {
  return {FrameType::data, channel, 0, length};
}
constexpr FrameHeader end(ChannelId channel) {
  return {FrameType::end, channel, 0, 0};
}
constexpr FrameHeader credit(ChannelId channel) {
  return {FrameType::credit, channel, 0, 4};
}

template <class Order>
bool accepts_all(Order order, std::initializer_list<FrameHeader> headers) {
  for (const auto& header : headers) {
    if (!order.accept(header)) return false;
  }
  return true;
}

/// All but the last are accepted, the last is not.
template <class Order>
bool refuses_last(Order order, std::initializer_list<FrameHeader> headers) {
  const std::vector<FrameHeader> all(headers);
  for (std::size_t i = 0; i + 1 < all.size(); ++i) {
    if (!order.accept(all[i])) return false;
  }
  return !order.accept(all.back());
}

const SlotFrameOrder kLocal({}, /*terminal=*/false);
const SlotFrameOrder kLocalTerminal({}, /*terminal=*/true);
const SlotFrameOrder kRemote({.in = true, .out = true, .err = true}, /*terminal=*/false);
const SlotFrameOrder kRemoteTerminal({.in = true, .out = true}, /*terminal=*/false);

TEST(SlotFrameOrder, LegalOrders) {
  EXPECT_TRUE(accepts_all(kLocal, {kHello, kTrailer}));
  EXPECT_TRUE(accepts_all(kLocalTerminal, {kHello, kTerminal, kTrailer}));
  EXPECT_TRUE(accepts_all(kLocalTerminal, {kHello, kTrailer}));  // the set-up may fail before there is one
  EXPECT_TRUE(
      accepts_all(kRemote, {kHello, data(ChannelId::out, 5), data(ChannelId::err, 5), credit(ChannelId::in),
                            end(ChannelId::out), data(ChannelId::err, 1), end(ChannelId::err), kTrailer}));
  EXPECT_TRUE(accepts_all(kRemote, {kHello, data(ChannelId::out, 5), kTrailer}));
}

TEST(SlotFrameOrder, TheGreetingComesFirstAndOnce) {
  for (const auto& header :
       {kTrailer, kTerminal, data(ChannelId::out, 1), end(ChannelId::out), credit(ChannelId::in)}) {
    EXPECT_TRUE(refuses_last(kRemote, {header}));
    EXPECT_TRUE(refuses_last(kLocalTerminal, {header}));
  }
  EXPECT_TRUE(refuses_last(kRemote, {kHello, kHello}));
  EXPECT_TRUE(refuses_last(kLocal, {FrameHeader{FrameType::hello, ChannelId::control, 0, 5}}));
}

TEST(SlotFrameOrder, NothingComesAfterTheTrailer) {
  for (const auto& header : {kHello, kTrailer, kTerminal, data(ChannelId::out, 1), end(ChannelId::out)}) {
    EXPECT_TRUE(refuses_last(kRemote, {kHello, kTrailer, header}));
  }
  auto order = kLocal;
  EXPECT_FALSE(order.finished());
  EXPECT_TRUE(order.accept(kHello) && order.accept(kTrailer));
  EXPECT_TRUE(order.finished());
}

TEST(SlotFrameOrder, ATerminalOnlyWhereItIsExpectedAndOnce) {
  EXPECT_TRUE(refuses_last(kLocal, {kHello, kTerminal}));
  EXPECT_TRUE(refuses_last(kLocalTerminal, {kHello, kTerminal, kTerminal}));
  EXPECT_TRUE(
      refuses_last(kLocalTerminal, {kHello, FrameHeader{FrameType::terminal, ChannelId::control, 0, 1}}));
}

TEST(SlotFrameOrder, ALocalSlotSendsNoOutput) {
  for (const auto& header : {data(ChannelId::out, 1), end(ChannelId::err), credit(ChannelId::in)}) {
    EXPECT_TRUE(refuses_last(kLocal, {kHello, header}));
  }
}

TEST(SlotFrameOrder, OutputOnItsChannelsUntilItsEnd) {
  EXPECT_TRUE(refuses_last(kRemote, {kHello, data(ChannelId::in, 1)}));
  EXPECT_TRUE(refuses_last(kRemote, {kHello, data(ChannelId::control, 1)}));
  EXPECT_TRUE(refuses_last(kRemote, {kHello, data(ChannelId::out, 0)}));
  EXPECT_TRUE(refuses_last(kRemote, {kHello, end(ChannelId::out), data(ChannelId::out, 1)}));
  EXPECT_TRUE(refuses_last(kRemote, {kHello, end(ChannelId::out), end(ChannelId::out)}));
  EXPECT_TRUE(refuses_last(kRemote, {kHello, FrameHeader{FrameType::end, ChannelId::out, 0, 1}}));
  EXPECT_TRUE(refuses_last(kRemote, {kHello, credit(ChannelId::out)}));
  EXPECT_TRUE(refuses_last(kRemote, {kHello, FrameHeader{FrameType::credit, ChannelId::in, 0, 8}}));
  EXPECT_TRUE(refuses_last(kRemote, {kHello, FrameHeader{FrameType::trailer, ChannelId::out, 0, 100}}));
}

TEST(SlotFrameOrder, OnlyTheStreamsThatAreFramed) {
  const SlotFrameOrder only_out({.out = true}, /*terminal=*/false);
  EXPECT_TRUE(accepts_all(only_out, {kHello, data(ChannelId::out, 1), end(ChannelId::out), kTrailer}));
  for (const auto& header :
       {data(ChannelId::err, 1), end(ChannelId::err), credit(ChannelId::in), end(ChannelId::in), kTerminal}) {
    EXPECT_TRUE(refuses_last(only_out, {kHello, header}));
  }
  EXPECT_TRUE(
      accepts_all(kRemoteTerminal, {kHello, data(ChannelId::out, 1), credit(ChannelId::in), kTrailer}));
  for (const auto& header : {data(ChannelId::err, 1), end(ChannelId::err), kTerminal}) {
    EXPECT_TRUE(refuses_last(kRemoteTerminal, {kHello, header}));
  }
}

TEST(SlotFrameOrder, StdinIsRefusedOnceAndGrantsEndWithIt) {
  EXPECT_TRUE(accepts_all(
      kRemote, {kHello, credit(ChannelId::in), end(ChannelId::in), data(ChannelId::out, 1), kTrailer}));
  EXPECT_TRUE(refuses_last(kRemote, {kHello, end(ChannelId::in), end(ChannelId::in)}));
  EXPECT_TRUE(refuses_last(kRemote, {kHello, end(ChannelId::in), credit(ChannelId::in)}));
  EXPECT_TRUE(refuses_last(kRemote, {kHello, FrameHeader{FrameType::end, ChannelId::in, 0, 1}}));
  EXPECT_TRUE(refuses_last(kLocal, {kHello, end(ChannelId::in)}));
}

TEST(SlotFrameOrder, AHostsFramesAreNotASlots) {
  for (const auto type : {FrameType::request, FrameType::signal, FrameType::cancel, FrameType::resize}) {
    EXPECT_TRUE(refuses_last(kRemote, {kHello, FrameHeader{type, ChannelId::control, 0, 4}}));
  }
}

TEST(SlotFrameOrder, NoMoreThanTheCreditUntilItIsGivenBack) {
  auto order = kRemote;
  ASSERT_TRUE(order.accept(kHello));
  for (std::uint32_t sent = 0; sent < kInitialCredit; sent += kMaxPayload) {
    ASSERT_TRUE(order.accept(data(ChannelId::out, kMaxPayload)));
  }
  EXPECT_TRUE(order.accept(data(ChannelId::err, kMaxPayload)));  // each channel has its own
  auto without = order;
  EXPECT_FALSE(without.accept(data(ChannelId::out, 1)));
  order.consumed(ChannelId::out, 10);
  auto over = order;
  EXPECT_FALSE(over.accept(data(ChannelId::out, 11)));
  EXPECT_TRUE(order.accept(data(ChannelId::out, 10)));
}

TEST(ChannelFlow, TheCreditIsNeverOverItsBound) {
  ChannelFlow flow;
  EXPECT_FALSE(flow.grant(1));
  EXPECT_TRUE(flow.grant(0));
  ASSERT_TRUE(flow.take(100));
  EXPECT_FALSE(flow.grant(101));
  EXPECT_FALSE(flow.grant(0xFFFF'FFFFU));
  EXPECT_EQ(flow.credit(), kInitialCredit - 100);
  EXPECT_TRUE(flow.grant(100));
  EXPECT_EQ(flow.credit(), kInitialCredit);
  EXPECT_FALSE(flow.take(kInitialCredit + 1));
  EXPECT_TRUE(flow.take(kInitialCredit));
  EXPECT_FALSE(flow.take(1));
}

TEST(HostFrameOrder, LegalOrders) {
  EXPECT_TRUE(accepts_all(HostFrameOrder(), {kRequest}));
  EXPECT_TRUE(accepts_all(
      HostFrameOrder(), {kRequestPart, kRequestPart, kRequest, data(ChannelId::in, 5), credit(ChannelId::out),
                         credit(ChannelId::err), FrameHeader{FrameType::signal, ChannelId::control, 0, 4},
                         FrameHeader{FrameType::resize, ChannelId::control, 0, 4}, end(ChannelId::in),
                         FrameHeader{FrameType::cancel, ChannelId::control, 0, 4},
                         FrameHeader{FrameType::cancel, ChannelId::control, 0, 4}}));
}

TEST(HostFrameOrder, TheRequestComesFirstWholeAndOnce) {
  for (const auto& header : {data(ChannelId::in, 1), end(ChannelId::in), credit(ChannelId::out),
                             FrameHeader{FrameType::cancel, ChannelId::control, 0, 4}}) {
    EXPECT_TRUE(refuses_last(HostFrameOrder(), {header}));
    EXPECT_TRUE(refuses_last(HostFrameOrder(), {kRequestPart, header}));
  }
  EXPECT_TRUE(refuses_last(HostFrameOrder(), {kRequest, kRequest}));
  EXPECT_TRUE(refuses_last(HostFrameOrder(), {FrameHeader{FrameType::request, ChannelId::in, 0, 100}}));
}

TEST(HostFrameOrder, EachFrameOnItsChannelWithItsLength) {
  for (const auto& header :
       {data(ChannelId::out, 1), data(ChannelId::in, 0), end(ChannelId::control), credit(ChannelId::in),
        kHello, kTrailer, kTerminal, FrameHeader{FrameType::credit, ChannelId::out, 0, 3},
        FrameHeader{FrameType::signal, ChannelId::in, 0, 4},
        FrameHeader{FrameType::signal, ChannelId::control, 0, 0},
        FrameHeader{FrameType::resize, ChannelId::control, 0, 2},
        FrameHeader{FrameType::end, ChannelId::in, 0, 1}}) {
    EXPECT_TRUE(refuses_last(HostFrameOrder(), {kRequest, header}));
  }
  EXPECT_TRUE(refuses_last(HostFrameOrder(), {kRequest, end(ChannelId::in), data(ChannelId::in, 1)}));
  EXPECT_TRUE(refuses_last(HostFrameOrder(), {kRequest, end(ChannelId::in), end(ChannelId::in)}));
}

TEST(HostFrameOrder, AnOutputIsRefusedOnceAndGrantsEndWithIt) {
  EXPECT_TRUE(
      accepts_all(HostFrameOrder(), {kRequest, credit(ChannelId::out), end(ChannelId::out),
                                     credit(ChannelId::err), end(ChannelId::err), end(ChannelId::in)}));
  for (const auto channel : {ChannelId::out, ChannelId::err}) {
    EXPECT_TRUE(refuses_last(HostFrameOrder(), {kRequest, end(channel), end(channel)}));
    EXPECT_TRUE(refuses_last(HostFrameOrder(), {kRequest, end(channel), credit(channel)}));
  }
}

TEST(HostFrameOrder, NoMoreStdinThanTheCredit) {
  HostFrameOrder order;
  ASSERT_TRUE(order.accept(kRequest));
  for (std::uint32_t sent = 0; sent < kInitialCredit; sent += kMaxPayload) {
    ASSERT_TRUE(order.accept(data(ChannelId::in, kMaxPayload)));
  }
  EXPECT_FALSE(order.accept(data(ChannelId::in, 1)));
}

}  // namespace
}  // namespace prx::protocol
