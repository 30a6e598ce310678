#pragma once

namespace prx::base {

/// Lambdas as one visitor for std::visit.
template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};
template <class... Fs>
Overloaded(Fs...) -> Overloaded<Fs...>;

}  // namespace prx::base
