#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/load_model.hpp"
#include "sim/core/name_table.hpp"
#include "sim/yaml/read_in.hpp"

namespace tofn {
inline namespace config {

void read_fine_tuning(const YamlNode& node, FineTuning& out) {
  Fields fields = node.fields();
  if (fields.has("lora_rank")) read_dimension(fields, "lora_rank", out.lora_rank);
  if (const auto targets = fields.optional_child("lora_targets"))
    for (const YamlNode& item : targets->items())
      item.read_choice(out.lora_targets.emplace_back(), ChoiceTable<LoraTarget>(lora_targets));
  fields.optional("freeze", out.freeze);
  if (fields.has("packed_length")) read_dimension(fields, "packed_length", out.packed_length);
  fields.done();
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
