#include <algorithm>
#include <string>

#include "sim/formats/launchers/launch_stack.hpp"

// NeMo 1: YAML with Megatron-LM's flags under other names, in `model` and `trainer`.

namespace tofn {
inline namespace formats {
namespace {

std::string dashed(std::string_view key) {
  std::string flag(key.substr(key.find('.') + 1));
  std::replace(flag.begin(), flag.end(), '_', '-');
  return flag;
}

LaunchFile nemo_flags(const LaunchFile& file, const Launcher& nemo) {
  LaunchFile flags = renamed(file, nemo.renames);
  const auto rename = [&](std::string& key) {
    const std::string flag = dashed(key);
    if (key.starts_with("model.") && nemo.find(flag) != nullptr) key = flag;
  };
  for (LaunchSetting& setting : flags.settings) rename(setting.key);
  for (LaunchUnknown& unknown : flags.not_understood) rename(unknown.key);
  return flags;
}

}  // namespace

const LaunchCode nemo_code{.launcher = "nemo", .as_flags = nemo_flags};

}  // namespace formats
}  // namespace tofn
