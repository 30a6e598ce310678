#pragma once

#include <prx/result.hpp>

#define PRX_TRY_CONCAT_INNER(a, b) a##b
#define PRX_TRY_CONCAT(a, b) PRX_TRY_CONCAT_INNER(a, b)

/// PRX_TRY(auto value, expression): returns the error of `expression` from the enclosing function, or
/// declares `value` with its result.
#define PRX_TRY(declaration, ...) PRX_TRY_IMPL(PRX_TRY_CONCAT(prx_try_, __LINE__), declaration, __VA_ARGS__)
#define PRX_TRY_IMPL(name, declaration, ...)             \
  auto name = (__VA_ARGS__);                             \
  if (!name.has_value()) return std::move(name).error(); \
  declaration = std::move(name).value()

/// PRX_CHECK(expression): the same for a Result<void>.
#define PRX_CHECK(...)                                                                   \
  do {                                                                                   \
    if (auto prx_check = (__VA_ARGS__); !prx_check) return std::move(prx_check).error(); \
  } while (false)
