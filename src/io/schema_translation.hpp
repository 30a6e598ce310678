#pragma once

#define BOOST_JSON_NO_LIB
#include <boost/json/value.hpp>

#include <prx/result.hpp>

namespace prx::io {

/// Texts longer than this match no `pattern` and have no `format`: what matches them recurses for each byte.
inline constexpr std::size_t kMaxMatched = 1024;

/// A schema of JSON Schema 2020-12 (or 7) as one of draft 7 that the validator behind JsonSchema takes as it
/// is meant. A keyword that has no translation is an error, never left out. Error kind invalid_request,
/// subject the place in the schema.
[[nodiscard]] Result<boost::json::value> translate_schema(const boost::json::value& schema);

}  // namespace prx::io
