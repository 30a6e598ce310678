#include "base/blake2b.hpp"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace prx::base {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

std::string hash_of(std::string_view text, std::string_view key = {}) {
  Blake2b hash(bytes_of(key));
  hash.add(bytes_of(text));
  return to_hex(hash.finish());
}

// What Python's hashlib says with digest_size=32.
TEST(Blake2b, AgreesWithAnotherImplementation) {
  const std::string key(32, 'k');
  EXPECT_EQ(hash_of("abc"), "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
  EXPECT_EQ(hash_of(std::string(128, 'x')),
            "164ffb7089bae6f5a62fb0795e751dc9e88eac92e1a5b2fafe93a25abf2d9c3b");
  EXPECT_EQ(hash_of(std::string(1000, 'x'), key),
            "a5dda10e739c005f49334cd2b16e97c3b2f737ad6c1b5f2910add780215acc0e");
  EXPECT_EQ(hash_of("", key), "c7fad9dbdb92c87a932b219acd03953fccecf900f466e544b7671a268106fd72");
}

TEST(Blake2b, ItDoesNotMatterInWhichPiecesItCame) {
  const std::string text(1000, 'x');
  for (const std::size_t piece : {1U, 7U, 127U, 128U, 129U, 256U}) {
    Blake2b hash;
    for (std::size_t at = 0; at < text.size(); at += piece) {
      hash.add(bytes_of(std::string_view(text).substr(at, piece)));
    }
    EXPECT_EQ(to_hex(hash.finish()), hash_of(text)) << piece;
  }
}

TEST(Blake2b, EveryBitCounts) {
  Blake2b::Digest digest{};
  for (std::size_t byte = 0; byte < digest.size(); ++byte) {
    auto other = digest;
    other[byte] ^= std::byte{0x10};
    EXPECT_FALSE(is_same(digest, other));
  }
  EXPECT_TRUE(is_same(digest, digest));
}

}  // namespace
}  // namespace prx::base
