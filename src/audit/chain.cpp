#include "audit/chain.hpp"

#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/blake2b.hpp"

namespace prx::audit {
namespace {

constexpr std::string_view kBeforeHash = ",\"hash\":\"";
constexpr std::size_t kHashDigits = 2 * base::Blake2b::kSize;

std::string hash_of(std::string_view text) {
  base::Blake2b hash;
  hash.add(std::as_bytes(std::span(text.data(), text.size())));
  return base::to_hex(hash.finish());
}

}  // namespace

std::string seal_record(const io::Json& members, const ChainEnd& before, ChainEnd& after) {
  const std::string inner = members.text();
  std::string line = fmt::format("{{\"n\":{},", before.records + 1);
  line.append(inner, 1, inner.size() - 2);
  line += fmt::format(",\"prev\":\"{}\"", before.hash);
  after.records = before.records + 1;
  after.hash = hash_of(line);
  line += kBeforeHash;
  line += after.hash;
  return line + "\"}";
}

std::optional<Record> open_record(std::string_view line) {
  const std::size_t ending = kBeforeHash.size() + kHashDigits + 2;
  if (line.size() <= ending || !line.ends_with("\"}")) return std::nullopt;
  const auto hashed = line.substr(0, line.size() - ending);
  const auto rest = line.substr(hashed.size());
  if (!rest.starts_with(kBeforeHash)) return std::nullopt;
  Record record;
  record.hash = rest.substr(kBeforeHash.size(), kHashDigits);
  if (hash_of(hashed) != record.hash) return std::nullopt;
  auto json = io::JsonValue::parse(line);
  if (!json) return std::nullopt;
  record.json = std::move(json).value();
  record.number = static_cast<std::uint64_t>(record.json["n"].number());
  record.previous = record.json["prev"].text();
  return record;
}

}  // namespace prx::audit
