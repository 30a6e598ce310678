#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "core/output_delivery.hpp"

namespace prx::core {
namespace {

struct Piece {
  std::string text;
  std::uint64_t missed = 0;
  friend bool operator==(const Piece&, const Piece&) = default;
};
std::ostream& operator<<(std::ostream& stream, const Piece& piece) {
  return stream << '"' << piece.text << "\" after " << piece.missed;
}

class Delivery : public ::testing::Test {
 protected:
  std::vector<Piece> pieces;
  std::function<void(const OutputChunk&)> consumer = [this](const OutputChunk& chunk) {
    EXPECT_EQ(chunk.channel, Channel::err);
    pieces.push_back({{chunk.data.data(), chunk.data.size()}, chunk.missed});
  };
  OutputDelivery delivery{Channel::err, 4, &consumer};
};

TEST_F(Delivery, WhatComesGoesOn) {
  delivery.deliver("one");
  delivery.deliver("a longer piece");
  EXPECT_EQ(pieces, (std::vector<Piece>{{"one"}, {"a longer piece"}}));
}

TEST_F(Delivery, APauseKeepsUpToTheLimit) {
  delivery.pause();
  delivery.deliver("ab");
  delivery.deliver("cd");
  EXPECT_TRUE(pieces.empty());
  delivery.resume();
  EXPECT_EQ(pieces, (std::vector<Piece>{{"abcd"}}));
  delivery.deliver("e");
  EXPECT_EQ(pieces.back(), (Piece{"e", 0}));
}

TEST_F(Delivery, WhatIsOverTheLimitIsToldWithTheNextPiece) {
  delivery.pause();
  delivery.deliver("abc");
  delivery.deliver("defg");
  delivery.deliver("h");
  delivery.resume();
  delivery.deliver("next");
  delivery.deliver("more");
  EXPECT_EQ(pieces, (std::vector<Piece>{{"abcd", 0}, {"next", 4}, {"more", 0}}));
}

TEST_F(Delivery, MissedBeforeASecondPauseIsNotForgotten) {
  delivery.pause();
  delivery.deliver("abcdef");
  delivery.resume();
  delivery.pause();
  delivery.deliver("gh");
  delivery.resume();
  delivery.deliver("ij");
  std::uint64_t missed = 0;
  std::size_t told = 0;
  for (const auto& piece : pieces) {
    missed += piece.missed;
    told += piece.text.size();
  }
  EXPECT_EQ(told + missed, 10U);
  EXPECT_EQ(pieces.back().text, "ij");
}

TEST_F(Delivery, TheEndHandsOverWhatWaits) {
  delivery.pause();
  delivery.deliver("abcdef");
  delivery.finish();
  EXPECT_EQ(pieces, (std::vector<Piece>{{"abcd", 0}, {"", 2}}));
  delivery.finish();
  EXPECT_EQ(pieces.size(), 2U);
}

TEST_F(Delivery, WhatNeverCameIsToldAtTheEnd) {
  delivery.deliver("ab");
  delivery.count_missed(5);
  delivery.finish();
  EXPECT_EQ(pieces, (std::vector<Piece>{{"ab", 0}, {"", 5}}));
}

TEST_F(Delivery, TheEndOfNothingTellsNothing) {
  delivery.finish();
  delivery.deliver("x");
  delivery.finish();
  EXPECT_EQ(pieces, (std::vector<Piece>{{"x"}}));
}

TEST(DeliveryWithoutConsumer, KeepsNothing) {
  const std::function<void(const OutputChunk&)> none;
  OutputDelivery to_none(Channel::out, 4, &none);
  OutputDelivery to_nobody(Channel::out, 4, nullptr);
  for (auto* delivery : {&to_none, &to_nobody}) {
    delivery->pause();
    delivery->deliver("abcdefgh");
    delivery->finish();
  }
}

}  // namespace
}  // namespace prx::core
