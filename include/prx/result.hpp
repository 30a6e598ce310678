#pragma once

#include <type_traits>
#include <utility>
#include <variant>

#include <prx/error.hpp>

namespace prx {

/// A value or an Error. Shaped like std::expected<T, Error>, so that a move to C++23 is an alias;
/// unlike it, an Error converts implicitly, since the error type is fixed.
/// Reading the wrong side is a precondition violation and ends the process (std::terminate): no exception
/// comes out of a prx header, however the caller is built.
template <class T>
class [[nodiscard]] Result {
 public:
  using value_type = T;
  using error_type = Error;

  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }

  [[nodiscard]] T& value() & noexcept { return std::get<0>(state_); }
  [[nodiscard]] const T& value() const& noexcept { return std::get<0>(state_); }
  [[nodiscard]] T&& value() && noexcept { return std::get<0>(std::move(state_)); }
  [[nodiscard]] T& operator*() & noexcept { return value(); }
  [[nodiscard]] const T& operator*() const& noexcept { return value(); }
  [[nodiscard]] T&& operator*() && noexcept { return std::move(*this).value(); }
  [[nodiscard]] T* operator->() noexcept { return &value(); }
  [[nodiscard]] const T* operator->() const noexcept { return &value(); }

  [[nodiscard]] Error& error() & noexcept { return std::get<1>(state_); }
  [[nodiscard]] const Error& error() const& noexcept { return std::get<1>(state_); }
  [[nodiscard]] Error&& error() && noexcept { return std::get<1>(std::move(state_)); }

  template <class U>
  [[nodiscard]] T value_or(U&& fallback) const& {
    return has_value() ? value() : static_cast<T>(std::forward<U>(fallback));
  }

  /// Calls `next(value)`, which returns a Result; an error passes through untouched.
  template <class F>
  [[nodiscard]] auto and_then(F&& next) && -> std::invoke_result_t<F, T&&> {
    if (!has_value()) return std::move(*this).error();
    return std::forward<F>(next)(std::move(*this).value());
  }

  template <class F>
  [[nodiscard]] auto transform(F&& map) && -> Result<std::invoke_result_t<F, T&&>> {
    if (!has_value()) return std::move(*this).error();
    return std::forward<F>(map)(std::move(*this).value());
  }

  template <class F>
  [[nodiscard]] Result transform_error(F&& map) && {
    if (has_value()) return std::move(*this);
    return std::forward<F>(map)(std::move(*this).error());
  }

 private:
  std::variant<T, Error> state_;
};

/// Success without a value. `Result<void>{}` is success.
template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;
  using error_type = Error;

  Result() = default;
  Result(Error error) : state_(std::move(error)) {}

  [[nodiscard]] bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }
  void value() const noexcept { (void)std::get<0>(state_); }

  [[nodiscard]] Error& error() & noexcept { return std::get<1>(state_); }
  [[nodiscard]] const Error& error() const& noexcept { return std::get<1>(state_); }
  [[nodiscard]] Error&& error() && noexcept { return std::get<1>(std::move(state_)); }

 private:
  std::variant<std::monostate, Error> state_;
};

}  // namespace prx
