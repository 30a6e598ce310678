#include "backends/docker/preparation.hpp"

#include <fmt/format.h>

#include <utility>

#include "backends/docker/owner.hpp"
#include "backends/docker/tar.hpp"
#include "base/base64.hpp"
#include "base/log.hpp"
#include "base/try.hpp"
#include "core/init_program.hpp"
#include "protocol/seal.hpp"

namespace prx::backends {
namespace {

constexpr unsigned kProgramMode = 0555;
constexpr unsigned kFileMode = 0444;
constexpr const char* kVolumeFolder = "/.prx";
constexpr const char* kVolumeFile = "/.prx/prx-init";

/// Content-addressed: hosts of different versions share a daemon.
std::string volume_name() {
  constexpr std::array<std::byte, protocol::kSealKeySize> kKey{};
  return fmt::format("prx-init-{:016x}",
                     protocol::seal_of(kKey, std::as_bytes(std::span(core::init_image()))));
}

std::string facts_file(const Image& image) {
  const auto colon = image.id.find(':');
  return "image-" + (colon == std::string::npos ? image.id : image.id.substr(colon + 1)) + ".json";
}

}  // namespace

/// A container that is never started: its file system can be read and written through the daemon.
class Preparation::StoppedContainer {
 public:
  static Result<StoppedContainer> make(Engine& engine, const io::Json& body, const io::Patience& patience) {
    PRX_TRY(const auto reply,
            engine.call("POST", "/containers/create", patience.at_most(Engine::kStartTime), &body));
    if (!reply.ok()) return engine.refusal_error(reply, "create");
    return StoppedContainer(engine, reply.body["Id"].text());
  }
  ~StoppedContainer() {
    // Bounded, also where its maker's patience is at its end; what is left then is swept.
    if (!id_.empty()) {
      (void)engine_->call("DELETE", "/containers/" + id_ + "?force=1&v=1",
                          io::Patience::of(Engine::kCallTime));
    }
  }
  StoppedContainer(StoppedContainer&& other) noexcept
      : engine_(other.engine_), id_(std::exchange(other.id_, {})) {}
  StoppedContainer& operator=(StoppedContainer&&) = delete;
  StoppedContainer(const StoppedContainer&) = delete;
  StoppedContainer& operator=(const StoppedContainer&) = delete;

  /// Empty where there is no such file.
  [[nodiscard]] Result<std::string> read(std::string_view path, const io::Patience& patience) const {
    PRX_TRY(const auto answer, archive("GET", path, {}, patience));
    if (answer.head.status != 200) return std::string();
    return first_file_of_tar(answer.body).value_or("");
  }
  /// The size of a file; nothing where there is none.
  [[nodiscard]] Result<std::optional<std::int64_t>> size_of(std::string_view path,
                                                            const io::Patience& patience) const {
    PRX_TRY(const auto answer, archive("HEAD", path, {}, patience));
    if (answer.head.status != 200) return std::optional<std::int64_t>();
    const auto text = base::decode_base64(answer.head.header("X-Docker-Container-Path-Stat")).value_or("");
    return std::optional(io::JsonValue::parse_or_null(text)["size"].number());
  }
  [[nodiscard]] Result<void> unpack(std::string_view folder, std::string archive_bytes,
                                    const io::Patience& patience) const {
    PRX_TRY(const auto answer, archive("PUT", folder, std::move(archive_bytes), patience));
    if (answer.head.status == 200) return {};
    return Error{ErrorKind::setup_failed, "docker", "volume", 0, answer.body, {}};
  }

 private:
  StoppedContainer(Engine& engine, std::string id) : engine_(&engine), id_(std::move(id)) {}

  [[nodiscard]] Result<io::HttpResponse> archive(std::string_view method, std::string_view path,
                                                 std::string body, const io::Patience& patience) const {
    const auto target = fmt::format("/containers/{}/archive?path={}", id_, io::escape_url(path));
    return engine_->transfer({.method = std::string(method),
                              .target = target,
                              .body = std::move(body),
                              .content_type = "application/x-tar"},
                             patience.at_most(Engine::kCallTime));
  }

  Engine* engine_;
  std::string id_;
};

Preparation::Preparation(Engine& engine, CacheFolder cache, std::uint32_t uid, std::uint32_t gid)
    : engine_(engine),
      cache_(std::move(cache)),
      uid_(uid),
      gid_(gid),
      owner_(own_owner_label()),
      volume_(volume_name()),
      by_volume_(!engine.endpoint().is_local()) {}

Result<std::shared_ptr<const Prepared>> Preparation::prepare(const Image& image,
                                                             const io::Patience& patience) {
  bool by_volume = false;
  {
    const std::scoped_lock lock(mutex_);
    if (const auto known = prepared_.find(image.id); known != prepared_.end()) return known->second;
    by_volume = by_volume_;
  }
  PRX_TRY(const auto facts, find_facts(image, patience));
  const auto identity = add_user(facts, uid_, gid_);
  auto prepared = std::make_shared<Prepared>();
  prepared->spec.image = image.id;
  prepared->spec.labels = {{kOwnerLabel, owner_}};
  if (by_volume) {
    PRX_CHECK(fill_volume(image, patience));
    prepared->spec.init.volume = volume_;
  } else {
    PRX_CHECK(mount_files(identity, prepared->spec));
  }
  prepared->env = surroundings_of(image.env, identity.user);
  prepared->shell = facts.has_bash ? "/bin/bash" : "/bin/sh";
  const std::scoped_lock lock(mutex_);
  if (by_volume == by_volume_) prepared_[image.id] = prepared;
  return std::shared_ptr<const Prepared>(std::move(prepared));
}

bool Preparation::stop_mounting_files(std::string_view refusal) {
  const std::scoped_lock lock(mutex_);
  if (by_volume_ || refusal.find("/openprx/docker/") == std::string_view::npos) return false;
  base::log(base::LogLevel::info,
            "the docker daemon does not see this machine's files: prx-init goes into a volume");
  by_volume_ = true;
  prepared_.clear();
  return true;
}

Result<void> Preparation::mount_files(const IdentityFiles& identity, ContainerSpec& spec) const {
  PRX_TRY(spec.init.file, cache_.store("prx-init", core::init_image(), kProgramMode));
  PRX_TRY(auto passwd, cache_.store("passwd", identity.passwd, kFileMode));
  PRX_TRY(auto group, cache_.store("group", identity.group, kFileMode));
  spec.identity_files = {{std::move(passwd), "/etc/passwd"}, {std::move(group), "/etc/group"}};
  return {};
}

/// An id stands for one content for ever, so what was read of it once is true for ever.
Result<ImageFacts> Preparation::find_facts(const Image& image, const io::Patience& patience) {
  if (const auto known = cache_.read(facts_file(image))) {
    if (const auto value = io::JsonValue::parse(*known)) return decode_facts(*value);
  }
  PRX_TRY(const auto facts, read_facts(image, patience));
  if (const auto written = cache_.write(facts_file(image), encode_facts(facts), kFileMode); !written) {
    base::log(base::LogLevel::warning, written.error().message());
  }
  return facts;
}

Result<ImageFacts> Preparation::read_facts(const Image& image, const io::Patience& patience) {
  auto labels = io::Json::object();
  labels.set(kOwnerLabel, owner_);
  auto entrypoint = io::Json::array();
  entrypoint.push("none");
  auto body = io::Json::object();
  body.set("Image", image.id).set("Entrypoint", std::move(entrypoint)).set("Labels", std::move(labels));
  PRX_TRY(const auto container, StoppedContainer::make(engine_, body, patience));
  ImageFacts facts;
  PRX_TRY(facts.passwd, container.read("/etc/passwd", patience));
  PRX_TRY(facts.group, container.read("/etc/group", patience));
  PRX_TRY(const auto bash, container.size_of("/bin/bash", patience));
  facts.has_bash = bash.has_value();
  return facts;
}

/// Filling it twice does no harm, so nothing is locked meanwhile.
Result<void> Preparation::fill_volume(const Image& image, const io::Patience& patience) {
  {
    const std::scoped_lock lock(mutex_);
    if (volume_filled_) return {};
  }
  auto labels = io::Json::object();
  labels.set(kOwnerLabel, owner_);
  auto entrypoint = io::Json::array();
  entrypoint.push("none");
  auto mount = io::Json::object();
  mount.set("Type", "volume").set("Source", volume_).set("Target", kVolumeFolder);
  auto mounts = io::Json::array();
  mounts.push(std::move(mount));
  auto host_config = io::Json::object();
  host_config.set("Mounts", std::move(mounts));
  auto body = io::Json::object();
  body.set("Image", image.id).set("Entrypoint", std::move(entrypoint)).set("Labels", std::move(labels));
  body.set("HostConfig", std::move(host_config));
  PRX_TRY(const auto container, StoppedContainer::make(engine_, body, patience));
  PRX_TRY(const auto size, container.size_of(kVolumeFile, patience));
  const auto program = core::init_image();
  if (size != static_cast<std::int64_t>(program.size())) {
    PRX_CHECK(container.unpack(kVolumeFolder, make_tar("prx-init", program, kProgramMode), patience));
  }
  const std::scoped_lock lock(mutex_);
  volume_filled_ = true;
  return {};
}

}  // namespace prx::backends
