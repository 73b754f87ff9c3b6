#include <array>
#include <map>
#include <string>

#include <fmt/format.h>

#include "sim/config/image_part_rows.hpp"
#include "sim/config/load_model.hpp"
#include "sim/core/names.hpp"

namespace tofn {
inline namespace config {
namespace {

/// Rows of layers in an order of letters, each of which stands for a part.
template <class Walk>
void pattern_rows(Walk& walk, Named& out) {
  std::string letters;
  std::optional<YamlNode> order;
  walk.with({"order", "letters of the layers, in their order", true}, "such as MEMA",
            [&](const YamlNode& node) { (order = node)->read(letters); });
  walk.with({"letters", "part that each letter stands for", true}, "map of parts",
            [&](const YamlNode& node) {
              std::map<std::string, std::vector<ModelPart>> parts;
              std::vector<std::string> names;
              for (const auto& [letter, part] : node.entries()) {
                if (letters.find(letter) == std::string::npos || letter.size() != 1)
                  part.fail("is no letter of the order");
                parts[letter] = read_model_part(part);
                names.push_back(letter);
              }
              for (const char letter : letters) {
                const auto found = parts.find(std::string(1, letter));
                if (found == parts.end())
                  order->fail(unknown_name("letter", std::string(1, letter), names));
                out.parts.insert(out.parts.end(), found->second.begin(), found->second.end());
              }
            });
}

/// A kind of part and its rows. Add new ones here.
template <class Walk>
struct PartKind {
  std::string_view name;
  void (*rows)(Walk&, Named&);
};
template <class Walk>
constexpr std::array part_kinds{PartKind<Walk>{"vocabulary", vocabulary_rows},
                                PartKind<Walk>{"transformer", transformer_rows},
                                PartKind<Walk>{"attention", attention_rows},
                                PartKind<Walk>{"mlp", mlp_rows},
                                PartKind<Walk>{"state_space", state_space_rows},
                                PartKind<Walk>{"short_convolution", short_convolution_rows},
                                PartKind<Walk>{"pattern", pattern_rows},
                                PartKind<Walk>{"convolution", convolution_rows},
                                PartKind<Walk>{"linear", linear_rows},
                                PartKind<Walk>{"bottlenecks", bottleneck_rows},
                                PartKind<Walk>{"residual_blocks", residual_block_rows},
                                PartKind<Walk>{"image_transformer", image_transformer_rows}};

template <class Walk>
void part_rows(Walk& walk, const PartKind<Walk>& kind, Named& out) {
  walk({"name", "name of the part (default: its kind)"}, out.name);
  kind.rows(walk, out);
}

const PartKind<FieldReader>& kind_named(const YamlNode& node, const std::string& name) {
  std::vector<std::string> names;
  for (const auto& kind : part_kinds<FieldReader>) {
    if (kind.name == name) return kind;
    names.emplace_back(kind.name);
  }
  node.fail(unknown_name("part", name, names));
}

}  // namespace

void read_dimension(const YamlNode& node, int& out) {
  FieldReader::read_value(node, dimension, out);
}

std::vector<ModelPart> read_model_part(const YamlNode& node) {
  const auto entries = node.entries();
  if (entries.size() != 1)
    node.fail(fmt::format("a part has one key, its kind; this one has {}", entries.size()));
  const auto& [key, value] = entries.front();
  const auto& kind = kind_named(node, key);
  Named out{.name = key};
  FieldReader::read_map(value, [&](FieldReader& walk) { part_rows(walk, kind, out); });
  return out.parts;
}

void list_part_keys(FieldLister& lister) {
  for (const auto& kind : part_kinds<FieldLister>)
    lister.inside(fmt::format("parts[].{}.", kind.name), [&](FieldLister& walk) {
      Named out;
      part_rows(walk, kind, out);
    });
}

}  // namespace config
}  // namespace tofn
