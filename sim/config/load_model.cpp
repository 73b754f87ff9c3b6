#include "sim/config/load_model.hpp"

#include <algorithm>
#include <string>
#include <variant>

#include <fmt/format.h>

#include "sim/config/file_keys.hpp"
#include "sim/config/hugging_face/hugging_face.hpp"
#include "sim/config/text_part_rows.hpp"
#include "sim/core/error.hpp"
#include "sim/yaml/named_file.hpp"
#include "sim/yaml/yaml_change.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {
namespace {

namespace fs = std::filesystem;

/// Checks that layers of a text have samples with tokens, and that all parts of a text have one
/// width.
void check_text_layers(const YamlNode& root, const Model& model) {
  int width = 0;
  bool has_layers = false;
  for (const ModelPart& of_model : model.parts) {
    const PartTraits part = of_model.traits();
    has_layers = has_layers || part.splits();
    if (part.positions > 0 && part.positions < model.sequence_length)
      root.fail(fmt::format("{} positions do not suffice for {} tokens", part.positions,
                            model.sequence_length));
    if (part.predictions > model.sequence_length)
      root.fail(
          fmt::format("{} predictions of {} tokens", part.predictions, model.sequence_length));
    if (!part.is_text()) continue;
    if (width != 0 && part.hidden != width)
      root.fail(fmt::format("parts of one text differ in hidden: {} and {}", width, part.hidden));
    width = part.hidden;
  }
  if (has_layers && model.sequence_length == 0)
    root.fail(
        "transformer and state-space layers need 'sequence_length', the tokens of one sample");
  if (!has_layers && model.sequence_length != 0)
    root.fail("'sequence_length' needs transformer or state-space layers");
}

/// Checks that there is one vocabulary at most: its product comes last.
void check_vocabularies(const YamlNode& root, const Model& model) {
  const auto count = std::ranges::count_if(
      model.parts, [](const ModelPart& part) { return part.traits().vocabulary > 0; });
  if (count > 1) root.fail("has more than one vocabulary");
}

/// Adds the assumptions that apply to every model with such layers.
void say_what_is_assumed(Model& model) {
  const auto scans = [](const ModelPart& part) {
    return std::visit(
        [](const auto& shape) {
          if constexpr (requires { shape.has_state(); })
            return shape.has_state();
          else
            return false;
        },
        part.shape);
  };
  if (std::ranges::any_of(model.parts, scans))
    model.substitutions.emplace_back(
        "a state-space scan is assumed to run like other products of its size, since no measured "
        "step "
        "that stacks learn from has one");
}

/// Adds the layers that predict tokens beyond the next one.
void read_further_predictions(const YamlNode& node, int layers, Model& model) {
  const auto has = [&](auto is_one) {
    return std::ranges::any_of(model.parts,
                               [&](const ModelPart& part) { return is_one(part.shape); });
  };
  using Shape = decltype(ModelPart::shape);
  if (!has([](const Shape& shape) { return std::holds_alternative<TransformerLayers>(shape); }) ||
      !has([](const Shape& shape) { return std::holds_alternative<Vocabulary>(shape); }))
    node.fail("needs transformer layers and a vocabulary");
  add_further_predictions(model, layers);
}

void read_all_parts(const YamlNode& node, Model& model) {
  for (const YamlNode& item : node.items()) {
    const auto read = read_model_part(item);
    model.parts.insert(model.parts.end(), read.begin(), read.end());
  }
  if (model.parts.empty()) node.fail("needs at least one part");
}

/// Rows of a file of models/.
template <class Walk>
void model_rows(Walk& walk, Model& model) {
  int tokens = 0;
  int packed = 0;
  int further = 0;
  walk({"name", "name of the model", true}, model.name);
  walk({"title", "a line for people", true}, model.title);
  walk({"source", "source of the model's dimensions", true}, model.source);
  walk({"sequence_length", "tokens of a sample, for layers of text", false, dimension}, tokens);
  walk({"packed_length", "mean tokens of the texts that a sample packs", false, dimension}, packed,
       [&](const YamlNode& node) {
         if (packed > tokens)
           node.fail(fmt::format("must be at most the {:g} tokens of a sample", 1.0 * tokens));
       });
  model.sequence_length = tokens;
  model.packed_length = packed;
  walk({"precision", "precision of the matrix products", true}, model.precision);
  walk.with({"parts", "parts in forward order, each under the name of its kind", true},
            "list of parts", [&](const YamlNode& node) { read_all_parts(node, model); });
  walk({"mtp_layers", "layers that predict tokens beyond the next one", false, count_of_parts},
       further, [&](const YamlNode& node) { read_further_predictions(node, further, model); });
}

Model read_parts(const YamlNode& root) {
  Model model;
  FieldReader::read_map(root, [&](auto& walk) { model_rows(walk, model); });
  return model;
}

}  // namespace

bool is_model(const YamlNode& root) {
  if (!root.is_map()) return false;
  const auto entries = root.entries();
  return is_hugging_face(root) ||
         std::ranges::any_of(entries, [](const auto& entry) { return entry.first == "parts"; });
}

Model read_model(const YamlNode& root) {
  Model model = is_hugging_face(root) ? read_hugging_face(root) : read_parts(root);
  check_text_layers(root, model);
  check_vocabularies(root, model);
  say_what_is_assumed(model);
  return model;
}

void list_model_keys(std::vector<FileKey>& keys) {
  FieldLister lister("model", keys);
  Model model;
  model_rows(lister, model);
  list_part_keys(lister);
}

Model load_model(const fs::path& file) { return read_model(YamlNode::load(file)); }

Model find_model(const fs::path& configs, std::string_view name_or_file,
                 std::optional<int> sequence_length) {
  const YamlNode root = YamlNode::load(file_named(configs, "models", "model", name_or_file));
  if (!sequence_length) return read_model(root);
  return read_model(with_text(root, "sequence_length", std::to_string(*sequence_length)));
}

}  // namespace config
}  // namespace tofn
