#pragma once

#define BOOST_JSON_NO_LIB
#include <boost/json/value.hpp>

#include <memory>
#include <utility>

#include "io/json_value.hpp"

/// What a JsonValue is made of: for the files of this folder that read or make one.
namespace prx::io {

struct JsonValue::Root {
  boost::json::value value;
};

}  // namespace prx::io
