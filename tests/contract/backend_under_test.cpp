#include "contract/backend_under_test.hpp"


namespace prx::test {
std::vector<Variant> all_variants() {
  std::vector<Variant> variants;
  for (const auto& backend : all_backends()) {
    for (const auto call : {Call::execute, Call::start_and_wait}) variants.push_back({&backend, call});
  }
  return variants;
}

std::vector<const BackendUnderTest*> every_backend() {
  std::vector<const BackendUnderTest*> backends;
  for (const auto& backend : all_backends()) backends.push_back(&backend);
  return backends;
}

std::vector<const BackendUnderTest*> concurrent_backends() {
  auto backends = every_backend();
  std::erase_if(backends, [](const auto* backend) { return !backend->many_at_once; });
  return backends;
}

std::string name_of(const Variant& variant) {
  return variant.backend->name + (variant.call == Call::execute ? "Execute" : "Start");
}

std::string name_of(const BackendUnderTest* backend) {
  return backend->name;
}

std::ostream& operator<<(std::ostream& stream, const Variant& variant) {
  return stream << name_of(variant);
}

}  // namespace prx::test

namespace prx {

std::ostream& operator<<(std::ostream& stream, ErrorKind kind) {
  return stream << to_string(kind);
}

std::ostream& operator<<(std::ostream& stream, const Error& error) {
  return stream << to_string(error.kind) << ": " << error.message() << " (hint: " << error.hint << ')';
}

}  // namespace prx
