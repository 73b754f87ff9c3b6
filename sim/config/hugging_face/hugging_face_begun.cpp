#include "sim/config/hugging_face/hugging_face_begun.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/config/hugging_face/hugging_face_types.hpp"
#include "sim/config/model_starter.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"

namespace tofn {
inline namespace config {
namespace {

/// An error followed by lines to copy, each indented by four spaces.
class InputErrorWithLines : public InputError {
 public:
  InputErrorWithLines(const Location& location, std::string_view key, std::string_view problem,
                      std::string_view lines)
      : InputError(location, key, problem), whole_(InputError::what()) {
    for (std::size_t start = 0; start < lines.size();) {
      const std::size_t end = std::min(lines.find('\n', start), lines.size());
      // InputError makes each line plain, like the first one.
      whole_ += "\n    " + std::string(InputError(lines.substr(start, end - start)).what());
      start = end + 1;
    }
  }

  const char* what() const noexcept override { return whole_.c_str(); }

 private:
  std::string whole_;
};

/// Throws `problem` in one line that says what to do with the model file printed below it.
[[noreturn]] void refuse_with_model(const YamlNode& node, const std::string& problem,
                                    const std::string& name, const std::string& to_do,
                                    const std::string& model) {
  throw InputErrorWithLines(
      node.location(), node.key(),
      fmt::format("{}; a model file of what was read is begun below: save it as {}.yaml, {}, and "
                  "give that file in place of this one (configs/README.md has its keys)",
                  problem, shortened(name), to_do),
      model);
}

std::string names_of(const std::vector<UnreadKey>& keys) {
  constexpr std::size_t most = 24;
  std::vector<std::string> names;
  for (const UnreadKey& each : keys)
    if (std::ranges::find(names, each.node.key()) == names.end()) names.push_back(each.node.key());
  const std::size_t others = names.size() - std::min(names.size(), most);
  names.resize(names.size() - others);
  if (others > 0) names.push_back(fmt::format("{} others", others));
  return list_text(names, "and");
}

/// A file of configs/models with the values that the keys state, and `?` for the others.
std::string begun_model(HuggingFaceKeys& keys, const std::string& type) {
  const auto stated = [&](HuggingFaceKeys::Names names) -> std::string {
    const auto value = keys.optional_dimension(names);
    return value ? std::to_string(*value) : "?";
  };
  const std::string hidden = stated({"hidden_size", "n_embd", "d_model"});
  const std::string heads = stated({"num_attention_heads", "n_head"});
  const std::string groups = stated({"num_key_value_heads"});
  const std::string width = stated({"moe_intermediate_size"});  // of an expert, if there are any
  std::string text = fmt::format(
      R"(format: 2
name: {0}
title: {0}
source: config.json of a model of the type {0}
sequence_length: 4096
precision: bf16
parts:
  - vocabulary: {{size: {1}, hidden: {2}, tied: {3}, biases: false}}
  - transformer:
      layers: {4}
      hidden: {2}
      feed_forward: {5}
      heads: {6}
      key_value_heads: {7}
)",
      type, stated({"vocab_size"}), hidden, keys.is_on("tie_word_embeddings"),
      stated({"num_hidden_layers", "n_layer"}),
      width == "?" ? stated({"intermediate_size"}) : width, heads, groups);
  const auto add = [&](const char* key, HuggingFaceKeys::Names names) {
    if (const std::string value = stated(names); value != "?")
      text += fmt::format("      {}: {}\n", key, value);
  };
  add("head_size", {"head_dim"});
  add("experts", {"num_experts", "num_local_experts", "n_routed_experts"});
  add("experts_per_token", {"num_experts_per_tok"});
  add("shared_feed_forward", {"shared_expert_intermediate_size"});
  text += "      gated: true\n      rotary: true\n      biases: false\n";
  const auto unread = keys.unread();
  return "# A ? is not stated; gated, rotary and biases are guesses" +
         (unread.empty() ? "" : fmt::format(", and nothing is made of {}", names_of(unread))) +
         ".\n" + text;
}

/// Returns the nearest name, otherwise the names that begin with the same word.
std::vector<std::string> nearest_names(const std::string& type,
                                       const std::vector<std::string>& names) {
  if (const auto nearest = nearest_name(type, names)) return {*nearest};
  const std::string word = type.substr(0, type.find_first_of("_-0123456789"));
  std::vector<std::string> alike;
  for (const std::string& name : names)
    if (!word.empty() && name.starts_with(word)) alike.push_back(name);
  return alike;
}

/// Short words for a value.
std::string value_text(const YamlNode& node) {
  if (node.is_list()) return fmt::format("a list of {}", node.items().size());
  if (node.is_map()) return "a map";
  std::string text;
  node.read(text);
  return shortened(text);
}

}  // namespace

const HuggingFaceArchitecture& architecture_of(HuggingFaceKeys& keys) {
  const YamlNode node = keys.needed({"model_type"});
  std::string type;
  node.read(type);
  if (const auto* known = architecture_named(type)) return *known;
  std::vector<std::string> names;
  for (const HuggingFaceType& each : hugging_face_types()) names.push_back(each.name);
  const std::vector<std::string> nearest = nearest_names(type, names);
  refuse_with_model(
      node,
      fmt::format("architecture '{}' is none of the {} known ({}`tofn list architectures`)",
                  shortened(type), names.size(),
                  nearest.empty() ? "" : fmt::format("nearest: {}; ", list_text(nearest, "and"))),
      type, "put a number for each ?, see whether its guesses hold", begun_model(keys, type));
}

void refuse_uncounted(HuggingFaceKeys& keys, const Model& model) {
  std::vector<UnreadKey> uncounted = keys.unread();
  std::erase_if(uncounted, [](const UnreadKey& each) { return !each.stops(); });
  if (uncounted.empty()) return;
  const std::string comment = fmt::format("# Not counted: {}.\n", names_of(uncounted));
  const UnreadKey first = uncounted.front();
  std::erase_if(uncounted,
                [&](const UnreadKey& each) { return each.node.key() == first.node.key(); });
  const std::string others =
      uncounted.empty() ? "" : fmt::format(" (nor are those of {})", names_of(uncounted));
  const std::string text = written_model(model, model.name).value_or(begun_model(keys, model.name));
  refuse_with_model(
      first.node,
      fmt::format("{} sets {}, whose parameters and work are not counted{}", value_text(first.node),
                  first.effect == KeyEffect::Size ? "a size" : "a kind of layer", others),
      model.name, "add what it lacks of these", comment + text);
}

}  // namespace config
}  // namespace tofn
