#include "backends/docker/image_reference.hpp"

namespace prx::backends {
namespace {
constexpr std::string_view kDockerHub = "https://index.docker.io/v1/";
}

ImageReference parse_image_reference(std::string_view text) {
  ImageReference reference;
  const auto slash = text.find('/');
  const auto first = text.substr(0, slash);
  const bool has_registry =
      slash != std::string_view::npos && (first == "localhost" || first.find('.') != std::string_view::npos ||
                                          first.find(':') != std::string_view::npos);
  reference.registry = has_registry && first != "docker.io" ? first : kDockerHub;
  if (const auto at = text.find('@'); at != std::string_view::npos) {
    reference.tag = text.substr(at + 1);
    text = text.substr(0, at);
  }
  const auto colon = text.find(':', text.rfind('/') == std::string_view::npos ? 0 : text.rfind('/'));
  // With a digest a tag says nothing more.
  if (reference.tag.empty())
    reference.tag = colon == std::string_view::npos ? "latest" : text.substr(colon + 1);
  reference.repository = text.substr(0, colon);
  return reference;
}

}  // namespace prx::backends
