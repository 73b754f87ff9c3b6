#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/load_model.hpp"
#include "sim/config/text_part_rows.hpp"
#include "sim/core/name_table.hpp"

namespace tofn {
inline namespace config {

void read_fine_tuning(const YamlNode& node, FineTuning& out) {
  FieldReader::read_map(node, [&](auto& walk) {
    walk({"lora_rank", "rank of adapters", false, dimension}, out.lora_rank);
    walk({"lora_targets", "products that have adapters"}, out.lora_targets);
    walk({"freeze", "parts that do not train"}, out.freeze);
    walk({"packed_length", "mean tokens of packed texts", false, dimension}, out.packed_length);
  });
}

std::string fine_tuning_yaml(const FineTuning& request) {
  if (request == FineTuning{}) return {};
  std::string text = "fine_tuning:\n";
  if (request.lora_rank > 0) text += fmt::format("  lora_rank: {}\n", request.lora_rank);
  std::vector<std::string_view> targets;
  for (const LoraTarget target : request.lora_targets) targets.push_back(name_of(target));
  if (!targets.empty()) text += fmt::format("  lora_targets: [{}]\n", fmt::join(targets, ", "));
  std::vector<std::string> parts;
  for (const std::string& part : request.freeze) parts.push_back(yaml_text(part));
  if (!parts.empty()) text += fmt::format("  freeze: [{}]\n", fmt::join(parts, ", "));
  if (request.packed_length > 0)
    text += fmt::format("  packed_length: {}\n", request.packed_length);
  return text;
}

}  // namespace config
}  // namespace tofn
