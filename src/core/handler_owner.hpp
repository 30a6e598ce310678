#pragma once

#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace prx::core {

/// What a handler on the reactor works for; it lives for as long as one of its handlers waits.
class HandlerOwner {
 public:
  /// On the thread of the handler, which has stopped where it was.
  virtual void on_no_memory() = 0;

 protected:
  HandlerOwner() = default;
  HandlerOwner(const HandlerOwner&) = default;
  HandlerOwner& operator=(const HandlerOwner&) = default;
  ~HandlerOwner() = default;
};

/// `handler`, which may leave out the results that it does not look at. Memory that runs out in it ends what
/// the handler works for: an exception that reached the reactor would end the whole host.
template <class F>
auto handler_of(std::shared_ptr<HandlerOwner> owner, F handler) {
  return [owner = std::move(owner), handler = std::move(handler)](const auto&... results) mutable {
    try {
      if constexpr (std::is_invocable_v<F&, decltype(results)...>) {
        handler(results...);
      } else {
        handler();
      }
    } catch (const std::bad_alloc&) {
      owner->on_no_memory();
    }
  };
}

}  // namespace prx::core
