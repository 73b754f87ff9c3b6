#include <array>
#include <map>
#include <string>

#include <fmt/format.h>

#include "sim/config/load_model.hpp"
#include "sim/config/read_text_parts.hpp"
#include "sim/core/names.hpp"
#include "sim/model/image_blocks.hpp"

namespace tofn {
inline namespace config {

void read_bounded(const YamlNode& node, int least, int most, int& out) {
  node.read(out);
  if (out >= least && out <= most) return;
  node.mistaken(fmt::format("must be from {} to {}, got {}", least, most, out));
  out = least;
}
void read_optional(Fields& fields, std::string_view key, int least, int most, int& out) {
  if (const auto node = fields.optional_child(key)) read_bounded(*node, least, most, out);
}

namespace {

constexpr int largest_stride = 100;  // of kernel sizes too

void read_count(Fields& fields, int& out) { read_optional(fields, "count", 1, largest_count, out); }

void check_groups(const YamlNode& groups, const Convolution& shape) {
  if (shape.inputs % shape.groups != 0 || shape.outputs % shape.groups != 0)
    groups.fail(fmt::format("must divide {} inputs and {} outputs", shape.inputs, shape.outputs));
}

/// Reads one size, or those of several images to which the same weights apply.
std::vector<int> read_sizes(const YamlNode& node) {
  std::vector<int> sizes;
  for (const YamlNode& item : node.is_list() ? node.items() : std::vector{node})
    read_bounded(item, 1, largest_dimension / largest_stride, sizes.emplace_back());
  if (sizes.empty()) node.fail("needs at least one size");
  return sizes;
}

void read_convolution(Fields& fields, Named& out) {
  Convolution shape;
  read_count(fields, shape.count);
  read_dimension(fields, "inputs", shape.inputs);
  read_dimension(fields, "outputs", shape.outputs);
  const std::vector<int> sizes = read_sizes(fields.child("size"));
  read_optional(fields, "kernel", 1, largest_stride, shape.kernel);
  read_optional(fields, "stride", 1, largest_stride, shape.stride);
  if (const auto groups = fields.optional_child("groups")) {
    read_bounded(*groups, 1, largest_dimension, shape.groups);
    check_groups(*groups, shape);
  }
  fields.optional("biases", shape.biases).optional("norm", shape.norm);
  fields.optional("activation", shape.activation).optional("norm_first", shape.norm_first);
  fields.optional("residual", shape.residual).optional("frozen", shape.frozen);
  fields.optional("input_gradient", shape.input_gradient);
  for (const int size : sizes) {
    shape.height = shape.width = size;
    out.add(shape);
    shape.shared = true;
  }
}

void read_linear(Fields& fields, Named& out) {
  Convolution shape{.height = 1, .biases = true, .norm = false, .activation = false};
  read_count(fields, shape.count);
  shape.width = 1;
  read_optional(fields, "rows", 1, largest_dimension, shape.width);
  read_dimension(fields, "inputs", shape.inputs);
  read_dimension(fields, "outputs", shape.outputs);
  fields.optional("biases", shape.biases).optional("norm", shape.norm);
  fields.optional("activation", shape.activation).optional("frozen", shape.frozen);
  fields.optional("input_gradient", shape.input_gradient);
  out.add(shape);
}

void read_bottlenecks(Fields& fields, Named& out) {
  BottleneckStage stage;
  read_count(fields, stage.count);
  read_dimension(fields, "inputs", stage.inputs);
  read_dimension(fields, "width", stage.width);
  read_dimension(fields, "outputs", stage.outputs);
  read_bounded(fields.child("size"), 1, largest_dimension / largest_stride, stage.size);
  read_optional(fields, "stride", 1, largest_stride, stage.stride);
  if (const auto groups = fields.optional_child("groups")) {
    read_bounded(*groups, 1, largest_dimension, stage.groups);
    if (stage.width % stage.groups != 0)
      groups->fail(fmt::format("must divide width {}", stage.width));
  }
  fields.optional("norm", stage.norm).optional("frozen", stage.frozen);
  fields.optional("input_gradient", stage.input_gradient);
  out.parts = parts_of(out.name, stage);
}

void read_residual_blocks(Fields& fields, Named& out) {
  ResidualBlocks blocks;
  read_count(fields, blocks.count);
  read_dimension(fields, "inputs", blocks.inputs);
  read_dimension(fields, "outputs", blocks.outputs);
  read_bounded(fields.child("size"), 1, largest_dimension / largest_stride, blocks.size);
  read_dimension(fields, "time_channels", blocks.time_channels);
  out.parts = parts_of(out.name, blocks);
}

void read_image_transformer(Fields& fields, Named& out) {
  ImageTransformer shape;
  read_count(fields, shape.count);
  read_dimension(fields, "channels", shape.channels);
  const YamlNode heads = fields.child("heads");
  read_bounded(heads, 1, largest_dimension, shape.heads);
  if (shape.channels % shape.heads != 0)
    heads.fail(fmt::format("must divide channels {}", shape.channels));
  read_dimension(fields, "positions", shape.positions);
  read_dimension(fields, "text_positions", shape.text_positions);
  read_dimension(fields, "text_channels", shape.text_channels);
  out.add(shape);
}

/// Reads layers in an order of letters, each of which stands for a part.
void read_letters(Fields& fields, Named& out) {
  const YamlNode order = fields.child("order");
  std::string letters;
  order.read(letters);
  std::map<std::string, std::vector<ModelPart>> parts;
  std::vector<std::string> names;
  for (const auto& [letter, part] : fields.child("letters").entries()) {
    if (letters.find(letter) == std::string::npos || letter.size() != 1)
      part.fail("is no letter of the order");
    parts[letter] = read_model_part(part);
    names.push_back(letter);
  }
  for (const char letter : letters) {
    const auto found = parts.find(std::string(1, letter));
    if (found == parts.end()) order.fail(unknown_name("letter", std::string(1, letter), names));
    out.parts.insert(out.parts.end(), found->second.begin(), found->second.end());
  }
}

/// A kind of part. Add new ones here.
struct Kind {
  std::string_view name;
  void (*read)(Fields&, Named&);
};
constexpr std::array kinds{Kind{"vocabulary", read_vocabulary},
                           Kind{"transformer", read_transformer},
                           Kind{"attention", read_attention},
                           Kind{"mlp", read_mlp},
                           Kind{"state_space", read_state_space},
                           Kind{"short_convolution", read_short_convolution},
                           Kind{"pattern", read_letters},
                           Kind{"convolution", read_convolution},
                           Kind{"linear", read_linear},
                           Kind{"bottlenecks", read_bottlenecks},
                           Kind{"residual_blocks", read_residual_blocks},
                           Kind{"image_transformer", read_image_transformer}};

const Kind& kind_named(const YamlNode& node, const std::string& name) {
  std::vector<std::string> names;
  for (const Kind& kind : kinds) {
    if (kind.name == name) return kind;
    names.emplace_back(kind.name);
  }
  node.fail(unknown_name("part", name, names));
}

}  // namespace

void read_dimension(const YamlNode& node, int& out) {
  read_bounded(node, 1, largest_dimension, out);
}
void read_dimension(Fields& fields, std::string_view key, int& out) {
  read_dimension(fields.child(key), out);
}

std::vector<ModelPart> read_model_part(const YamlNode& node) {
  const auto entries = node.entries();
  if (entries.size() != 1)
    node.fail(fmt::format("a part has one key, its kind; this one has {}", entries.size()));
  const auto& [key, value] = entries.front();
  const Kind& kind = kind_named(node, key);
  Named out{.name = key, .parts = {}};
  Fields fields = value.fields();
  fields.optional("name", out.name);
  kind.read(fields, out);
  fields.done();
  return out.parts;
}

}  // namespace config
}  // namespace tofn
