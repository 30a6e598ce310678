#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sandbox/access.hpp"

namespace prx::cli {

/// What a question is about.
struct WhySubject {
  enum class Kind : std::uint8_t { path, program, host };

  Kind kind = Kind::path;
  std::string name;  ///< of a path: absolute
};

[[nodiscard]] std::string_view to_string(WhySubject::Kind kind) noexcept;

/// What `word` means: see the help of `why`. `base` is what a relative path is relative to. Without a
/// blueprint no program is looked for.
[[nodiscard]] WhySubject find_subject(const std::string& word, const std::string& base,
                                      const sandbox::Blueprint* blueprint);

/// Whether the program that PATH leads to can be executed; where it leads to none, whether the host has one.
[[nodiscard]] sandbox::Verdict judge_program(const sandbox::Blueprint& blueprint, const std::string& name,
                                             const sandbox::HostView& host);

}  // namespace prx::cli
