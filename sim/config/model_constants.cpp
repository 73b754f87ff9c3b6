#include <array>
#include <span>
#include <utility>

#include "sim/config/hugging_face/hugging_face.hpp"
#include "sim/yaml/named_file.hpp"

namespace tofn {
inline namespace config {
namespace {

constexpr std::array<std::string_view, 2> bases{"rope_theta", "rotary_emb_base"};
constexpr std::array<std::string_view, 4> epsilons{"rms_norm_eps", "layer_norm_eps",
                                                   "layer_norm_epsilon", "norm_epsilon"};
/// Maps that may contain these keys.
constexpr std::array<std::string_view, 2> inner{"rope_parameters", "text_config"};

template <class Names>
bool is_one_of(const Names& names, const std::string& key) {
  for (const std::string_view each : names)
    if (each == key) return true;
  return false;
}

void add_constants(const YamlNode& map, ModelConstants& found) {
  for (const auto& [key, node] : map.entries()) {
    if (node.is_map() && is_one_of(inner, key)) add_constants(node, found);
    if (!node.is_scalar()) continue;
    for (const auto& [names, text] :
         {std::pair(std::span<const std::string_view>(bases), &found.rotary_base),
          std::pair(std::span<const std::string_view>(epsilons), &found.norm_epsilon)})
      if (is_one_of(names, key)) node.read(text->emplace());
  }
}

}  // namespace

ModelConstants find_model_constants(const std::filesystem::path& configs,
                                    std::string_view name_or_file) {
  ModelConstants found;
  const YamlNode root =
      YamlNode::load(file_named(configs, "models", "model", std::string(name_or_file)));
  if (is_hugging_face(root)) add_constants(root, found);
  return found;
}

}  // namespace config
}  // namespace tofn
