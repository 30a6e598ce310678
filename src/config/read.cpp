#include "config/read.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "config/json_text.hpp"
#include "config/scalar.hpp"

namespace prx::config {

namespace {

Item whole(const Input& in) {
  return {in, in.key, in.value};
}

/// Stores what was read, if anything was, and remembers from where.
template <class Read, class Target>
void store(const Input& in, std::optional<Read> read, Target& target) {
  if (!read) return;
  auto& value = *read;
  target = std::move(value);
  in.layer.accept(in.key, in.key_at);
}

template <class Enum, class Target>
void store_choice(const Input& in, Target& target) {
  store(in, choice<Enum>(whole(in)), target);
}

std::optional<std::chrono::seconds> seconds(const Item& item) {
  const auto number = whole_number(item);
  return number ? std::optional(std::chrono::seconds(*number)) : std::nullopt;
}

std::optional<std::vector<std::string>> texts(const Input& in) {
  const auto* list = std::get_if<List>(&in.value.data);
  if (list == nullptr) {
    refuse_no_list(in);
    return std::nullopt;
  }
  std::vector<std::string> read;
  bool all_good = true;
  for (const Value& value : *list) {
    auto one = text({in, in.key, value});
    all_good = all_good && one.has_value();
    if (one) read.push_back(std::move(*one));
  }
  return all_good ? std::optional(std::move(read)) : std::nullopt;
}

/// Calls `take(name, item)` for each entry of a table; it returns whether it took it.
template <class Take>
void each_entry(const Input& in, Take take) {
  const auto* table = std::get_if<Table>(&in.value.data);
  if (table == nullptr) return refuse_type(whole(in));
  for (const Entry& entry : table->entries) {
    if (!is_good_name(in, entry)) continue;
    const std::string key = join_key(in.key, entry.key);
    if (take(entry.key, Item{in, key, entry.value})) in.layer.accept(key, entry.at);
  }
}

template <class Mapped, class ReadOne>
void read_map(const Input& in, std::map<std::string, Mapped>& target, ReadOne read_one) {
  each_entry(in, [&](const std::string& name, const Item& item) {
    auto value = read_one(item);
    if (!value) return false;
    target.insert_or_assign(name, std::move(*value));
    return true;
  });
}

}  // namespace

void read(const Input& in, bool& target) {
  const auto* yes = std::get_if<bool>(&in.value.data);
  if (yes == nullptr) return refuse_type(whole(in));
  store(in, std::optional(*yes), target);
}

void read(const Input& in, std::uint32_t& target) {
  const auto number = whole_number(whole(in));
  if (number) store(in, std::optional(static_cast<std::uint32_t>(*number)), target);
}

void read(const Input& in, Bytes& target) {
  const auto number = bytes(whole(in));
  if (number) store(in, std::optional(Bytes{*number}), target);
}

void read(const Input& in, double& target) {
  store(in, cpus(whole(in)), target);
}
void read(const Input& in, std::string& target) {
  store(in, text(whole(in)), target);
}
void read(const Input& in, std::chrono::seconds& target) {
  store(in, seconds(whole(in)), target);
}
void read(const Input& in, std::optional<std::chrono::seconds>& target) {
  store(in, seconds(whole(in)), target);
}
void read(const Input& in, BackendChoice& target) {
  store_choice<BackendChoice>(in, target);
}
void read(const Input& in, std::optional<BackendChoice>& target) {
  store_choice<BackendChoice>(in, target);
}
void read(const Input& in, SandboxChoice& target) {
  store_choice<SandboxChoice>(in, target);
}
void read(const Input& in, DockerNetwork& target) {
  store_choice<DockerNetwork>(in, target);
}
void read(const Input& in, WasmEngine& target) {
  store_choice<WasmEngine>(in, target);
}
void read(const Input& in, ToolRule& target) {
  store_choice<ToolRule>(in, target);
}
void read(const Input& in, ToolInput& target) {
  store_choice<ToolInput>(in, target);
}
void read(const Input& in, std::vector<std::string>& target) {
  store(in, texts(in), target);
}

void read(const Input& in, NetworkRule& target) {
  if (const auto* yes = std::get_if<bool>(&in.value.data)) return store(in, std::optional(*yes), target);
  store(in, texts(in), target);
}

void read(const Input& in, std::vector<EnvVar>& target) {
  each_entry(in, [&](const std::string& name, const Item& item) {
    auto value = text(item);
    if (!value) return false;
    const auto same = [&](const EnvVar& variable) { return variable.name == name; };
    const auto old = std::find_if(target.begin(), target.end(), same);
    if (old != target.end()) {
      old->value = std::move(*value);
    } else {
      target.push_back({name, std::move(*value)});
    }
    return true;
  });
}

void read(const Input& in, std::map<std::string, std::string>& target) {
  read_map(in, target, text);
}
void read(const Input& in, std::map<std::string, std::chrono::seconds>& target) {
  read_map(in, target, seconds);
}
void read(const Input& in, std::map<std::string, ToolRule>& target) {
  read_map(in, target, choice<ToolRule>);
}

void read(const Input& in, JsonText<std::string> target) {
  const auto* table = std::get_if<Table>(&in.value.data);
  if (table == nullptr) return refuse_type(whole(in));
  auto json = to_json(*table);
  if (const auto* problem = std::get_if<JsonProblem>(&json)) {
    return in.layer.refuse(in.key, problem->at, problem->text, "write it as a string or a finite number");
  }
  store(in, std::optional(std::get<std::string>(std::move(json))), target.text);
}

}  // namespace prx::config
