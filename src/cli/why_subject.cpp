#include "cli/why_subject.hpp"

#include <cerrno>
#include <cstdlib>

#include "sandbox/paths.hpp"

namespace prx::cli {
namespace {

using Kind = WhySubject::Kind;

std::string expanded(const std::string& word) {
  const char* home = std::getenv("HOME");
  const bool is_home = word == "~" || word.starts_with("~/");
  return is_home && home != nullptr ? home + word.substr(1) : word;
}

bool looks_like_a_host(const std::string& word) {
  return word == "localhost" || word.find_first_of(".:") != std::string::npos;
}

bool is_a_program(const std::string& word, const sandbox::Blueprint& blueprint,
                  const sandbox::HostView& host) {
  const auto found = sandbox::find_program(blueprint, word, host);
  return !found.inside.empty() || !found.outside.empty();
}

}  // namespace

std::string_view to_string(Kind kind) noexcept {
  switch (kind) {
    case Kind::path:
      return "path";
    case Kind::program:
      return "program";
    case Kind::host:
      break;
  }
  return "host";
}

WhySubject find_subject(const std::string& word, const std::string& base,
                        const sandbox::Blueprint* blueprint) {
  const sandbox::RealHost host;
  const auto path = expanded(word);
  const auto absolute = path.starts_with('/') ? path : sandbox::join(base, path);
  const bool is_path = path.find('/') != std::string::npos || path == "." || path == "..";
  if (is_path) return {Kind::path, absolute};
  if (blueprint != nullptr && is_a_program(word, *blueprint, host)) return {Kind::program, word};
  if (host.look(absolute)) return {Kind::path, absolute};
  if (looks_like_a_host(word)) return {Kind::host, word};
  return blueprint != nullptr ? WhySubject{Kind::program, word} : WhySubject{Kind::path, absolute};
}

sandbox::Verdict judge_program(const sandbox::Blueprint& blueprint, const std::string& name,
                               const sandbox::HostView& host) {
  const auto found = sandbox::find_program(blueprint, name, host);
  if (!found.inside.empty())
    return sandbox::judge(blueprint, found.inside, sandbox::Operation::execute, host);
  sandbox::Verdict verdict;
  verdict.error = ENOENT;
  if (found.outside.empty()) {
    verdict.rule = sandbox::Rule::absent;
    verdict.reason = "no folder of PATH has it, with or without a sandbox";
    return verdict;
  }
  verdict.reason = "it is installed at " + found.outside + ", which the sandbox does not show";
  verdict.change = sandbox::show_program(blueprint, found.outside);
  return verdict;
}

}  // namespace prx::cli
