#include "sim/config/hugging_face/hugging_face_keys.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/load_model.hpp"

namespace tofn {
inline namespace config {
namespace {

bool is_null(const YamlNode& node) {
  return !node.is_scalar() && !node.is_list() && !node.is_map();
}

std::string text_of(const YamlNode& node) {
  std::string text;
  if (node.is_scalar()) node.read(text);
  return text;
}

/// True for null or a switch that is off.
bool is_off(const YamlNode& node) { return is_null(node) || text_of(node) == "false"; }

/// True if the value of a key with this effect sets a size or a kind of layer.
bool sets(const YamlNode& node, KeyEffect effect) {
  if (is_off(node)) return false;
  if (node.is_list()) {
    const auto items = node.items();
    return std::ranges::any_of(items, [&](const YamlNode& item) { return sets(item, effect); });
  }
  if (node.is_map()) return effect == KeyEffect::Kind && !node.entries().empty();
  const std::string text = text_of(node);
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  const bool is_number = end != text.c_str() && *end == '\0';
  return is_number ? number > 0 : effect == KeyEffect::Kind && !text.empty();
}

/// Unread keys with an effect; for a map, those of its keys that set something.
std::vector<UnreadKey> unread_of(const std::string& name, const YamlNode& node) {
  const KeyEffect effect = effect_of_key(name);
  if (is_off(node) || effect == KeyEffect::Nothing) return {};
  std::vector<UnreadKey> all;
  if (node.is_map() && effect != KeyEffect::Beside && effect != KeyEffect::Predictions)
    for (const auto& [inner, value] : node.entries())
      for (const UnreadKey& each : unread_of(inner, value))
        if (each.stops()) all.push_back(each);
  if (!all.empty()) return all;
  const UnreadKey key{node, effect};
  if (!key.stops() || sets(node, effect)) return {key};
  const bool is_zero = node.is_scalar() && !sets(node, KeyEffect::Kind);
  if (is_zero) return {};
  return {{node, KeyEffect::Unknown}};
}

}  // namespace

HuggingFaceKeys::HuggingFaceKeys(const YamlNode& root) : root_(root), entries_(root.entries()) {
  const auto named = [](std::string_view name) {
    return [name](const auto& entry) { return entry.first == name; };
  };
  // MPT and DBRX state attention and MLP in maps of their own.
  for (const std::string_view name : {"attn_config", "ffn_config"}) {
    const auto half = std::ranges::find_if(entries_, named(name));
    if (half == entries_.end() || !half->second.is_map()) continue;
    const auto inner = half->second.entries();
    entries_.erase(half);
    for (const auto& entry : inner)
      if (std::ranges::none_of(entries_, named(entry.first))) entries_.push_back(entry);
  }
  const auto text = std::ranges::find_if(entries_, named("text_config"));
  has_text_config_ = text != entries_.end() && text->second.is_map();
  if (!has_text_config_) return;
  auto of_text = text->second.entries();
  // Keys outside `text_config` that apply to all parts.
  for (const std::string_view name :
       {"dtype", "model_type", "quantization_config", "sequence_length", "tie_word_embeddings",
        "torch_dtype", "transformers_version"}) {
    const auto outer = std::ranges::find_if(entries_, named(name));
    if (outer == entries_.end() || std::ranges::any_of(of_text, named(name))) continue;
    of_text.push_back(*outer);
  }
  entries_ = std::move(of_text);
}

std::optional<YamlNode> HuggingFaceKeys::find(Names names) {
  std::optional<YamlNode> found;
  for (const std::string_view name : names) {
    request_.emplace(name);
    const auto entry =
        std::ranges::find_if(entries_, [&](const auto& each) { return each.first == name; });
    if (entry == entries_.end() || is_null(entry->second)) continue;
    if (found && found->is_scalar()) {
      std::string first;
      std::string second;
      found->read(first);
      entry->second.read(second);
      if (first != second)
        entry->second.fail(fmt::format("differs from {}, which is {}", found->key(), first));
    }
    if (!found) found = entry->second;
  }
  return found;
}

YamlNode HuggingFaceKeys::needed(Names names) {
  auto node = find(names);
  if (!node) fail(fmt::format("missing key '{}'", fmt::join(names, "' or '")));
  return *std::move(node);
}

bool HuggingFaceKeys::is_on(std::string_view name, bool typical) {
  if (const auto node = find({name})) node->read(typical);
  return typical;
}

int HuggingFaceKeys::dimension(Names names) {
  int value = 0;
  read_dimension(needed(names), value);
  return value;
}

std::optional<int> HuggingFaceKeys::optional_dimension(Names names) {
  if (!find(names)) return {};
  return dimension(names);
}

int HuggingFaceKeys::count(Names names, int typical) {
  const auto node = find(names);
  if (!node) return typical;
  node->read(typical);
  if (typical < 0) node->fail(fmt::format("must not be negative, got {}", typical));
  return typical;
}

double HuggingFaceKeys::number(std::string_view name) {
  double value = 0;
  if (const auto node = find({name})) node->read(value);
  return value;
}

std::vector<UnreadKey> HuggingFaceKeys::unread() const {
  std::vector<UnreadKey> all = uncounted_;
  for (const auto& [name, node] : entries_)
    if (!request_.contains(name) && !is_among(name, passed_over_))
      for (const UnreadKey& each : unread_of(name, node)) all.push_back(each);
  return all;
}

void HuggingFaceKeys::adopt(const HuggingFaceKeys& inner) {
  for (const UnreadKey& each : inner.unread()) uncounted_.push_back(each);
}

}  // namespace config
}  // namespace tofn
