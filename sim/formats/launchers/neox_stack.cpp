#include <algorithm>
#include <string>

#include "sim/core/quantity_text.hpp"
#include "sim/formats/launchers/launch_stack.hpp"

// GPT-NeoX's YAML (github.com/EleutherAI/gpt-neox, configs/): keys of DeepSpeed's JSON, and keys of
// Megatron-LM's layers under other names, with dashes or underscores.

namespace tofn {
inline namespace formats {
namespace {

/// Returns the key with underscores, because files may write top-level keys with dashes.
std::string underscored(std::string key) {
  std::replace(key.begin(), key.end(), '-', '_');
  return key;
}

/// Adds the width of Llama's MLP: two thirds of 4 x hidden, rounded up to a multiple
/// (megatron/model/transformer.py).
void add_llama_width(LaunchFile& file) {
  long long hidden = 0;
  long long multiple = 256;
  bool is_llama = false;
  bool has_width = false;
  Location place;
  for (const LaunchSetting& each : file.settings) {
    if (each.key == "hidden_size") parse_integer(each.value, hidden);
    if (each.key == "mlp_multiple_of") parse_integer(each.value, multiple);
    has_width |= each.key == "intermediate_size";
    if (each.key != "mlp_type" || each.value != "llama") continue;
    is_llama = true;
    place = each.place;
  }
  constexpr long long most = 10'000'000;
  if (!is_llama || has_width || hidden < 1 || hidden > most || multiple < 1 || multiple > most)
    return;
  const long long width = (8 * hidden / 3 + multiple - 1) / multiple * multiple;
  file.settings.push_back({"intermediate_size", std::to_string(width), place});
}

LaunchFile neox_flags(const LaunchFile& file, const Launcher& neox) {
  LaunchFile flags = file;
  for (LaunchSetting& setting : flags.settings) setting.key = underscored(setting.key);
  for (LaunchUnknown& unknown : flags.not_understood) unknown.key = underscored(unknown.key);
  // For other activations, the MLP's type states whether it is gated.
  std::erase_if(flags.settings, [](const LaunchSetting& setting) {
    return setting.key == "activation" && !setting.value.ends_with("glu");
  });
  add_llama_width(flags);
  return renamed(flags, neox.renames);
}

}  // namespace

const LaunchCode neox_code{.launcher = "gpt-neox", .as_flags = neox_flags};

}  // namespace formats
}  // namespace tofn
