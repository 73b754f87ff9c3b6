#include <fmt/format.h>

#include "sim/config/load_parts.hpp"

namespace tofn {
inline namespace config {

void read_run_settings(const YamlNode& node, RunSettings& settings) {
  Fields fields = node.fields();
  fields.optional_choice("precision", settings.precision, precision_names);
  fields.optional("fp8_attention", settings.fp8_attention);
  fields.optional("tensor_overlap", settings.tensor_overlap);
  fields.optional_choice("cuda_graphs", settings.cuda_graphs, cuda_graph_names);
  fields.optional("in_network_reduction", settings.in_network_reduction);
  fields.optional("overlap_gradient_reduction", settings.overlap_gradient_reduction);
  fields.done();
}

std::string run_settings_yaml(const RunSettings& settings) {
  std::string text;
  const auto add = [&](const char* key, std::string_view value) {
    text += fmt::format("  {}: {}\n", key, value);
  };
  const auto add_switch = [&](const char* key, const std::optional<bool>& value) {
    if (value) add(key, *value ? "true" : "false");
  };
  if (settings.precision) add("precision", to_text(*settings.precision));
  add_switch("fp8_attention", settings.fp8_attention);
  add_switch("tensor_overlap", settings.tensor_overlap);
  if (settings.cuda_graphs) add("cuda_graphs", to_text(*settings.cuda_graphs));
  add_switch("in_network_reduction", settings.in_network_reduction);
  add_switch("overlap_gradient_reduction", settings.overlap_gradient_reduction);
  return text.empty() ? text : "settings:\n" + text;
}

}  // namespace config
}  // namespace tofn
