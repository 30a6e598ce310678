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
  std::vector<Piece> pieces_;
  std::function<void(const OutputChunk&)> consumer_ = [this](const OutputChunk& chunk) {
    EXPECT_EQ(chunk.channel, Channel::err);
    pieces_.push_back({{chunk.data.data(), chunk.data.size()}, chunk.missed});
  };
  OutputDelivery delivery_{Channel::err, 4, &consumer_};
};

TEST_F(Delivery, WhatComesGoesOn) {
  delivery_.deliver("one");
  delivery_.deliver("a longer piece");
  EXPECT_EQ(pieces_, (std::vector<Piece>{{"one"}, {"a longer piece"}}));
}

TEST_F(Delivery, APauseKeepsUpToTheLimit) {
  delivery_.pause();
  delivery_.deliver("ab");
  delivery_.deliver("cd");
  EXPECT_TRUE(pieces_.empty());
  delivery_.resume();
  EXPECT_EQ(pieces_, (std::vector<Piece>{{"abcd"}}));
  delivery_.deliver("e");
  EXPECT_EQ(pieces_.back(), (Piece{"e", 0}));
}

TEST_F(Delivery, WhatIsOverTheLimitIsToldWithTheNextPiece) {
  delivery_.pause();
  delivery_.deliver("abc");
  delivery_.deliver("defg");
  delivery_.deliver("h");
  delivery_.resume();
  delivery_.deliver("next");
  delivery_.deliver("more");
  EXPECT_EQ(pieces_, (std::vector<Piece>{{"abcd", 0}, {"next", 4}, {"more", 0}}));
}

TEST_F(Delivery, MissedBeforeASecondPauseIsNotForgotten) {
  delivery_.pause();
  delivery_.deliver("abcdef");
  delivery_.resume();
  delivery_.pause();
  delivery_.deliver("gh");
  delivery_.resume();
  delivery_.deliver("ij");
  std::uint64_t missed = 0;
  std::size_t told = 0;
  for (const auto& piece : pieces_) {
    missed += piece.missed;
    told += piece.text.size();
  }
  EXPECT_EQ(told + missed, 10U);
  EXPECT_EQ(pieces_.back().text, "ij");
}

TEST_F(Delivery, TheEndHandsOverWhatWaits) {
  delivery_.pause();
  delivery_.deliver("abcdef");
  delivery_.finish();
  EXPECT_EQ(pieces_, (std::vector<Piece>{{"abcd", 0}, {"", 2}}));
  delivery_.finish();
  EXPECT_EQ(pieces_.size(), 2U);
}

TEST_F(Delivery, WhatNeverCameIsToldAtTheEnd) {
  delivery_.deliver("ab");
  delivery_.count_missed(5);
  delivery_.finish();
  EXPECT_EQ(pieces_, (std::vector<Piece>{{"ab", 0}, {"", 5}}));
}

TEST_F(Delivery, TheEndOfNothingTellsNothing) {
  delivery_.finish();
  delivery_.deliver("x");
  delivery_.finish();
  EXPECT_EQ(pieces_, (std::vector<Piece>{{"x"}}));
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
