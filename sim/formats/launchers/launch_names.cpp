#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/formats/launchers/launch_stack.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr std::string_view states_nothing = "null";

/// Adds the setting under each of its names. False if it has none.
bool add_renamed(const LaunchSetting& setting, std::span<const LaunchName> names,
                 std::vector<LaunchSetting>& all) {
  std::vector<std::string> valid;
  bool is_known = false;
  bool is_valid = false;
  for (const LaunchName& each : names) {
    if (each.key != setting.key) continue;
    is_known = true;
    const bool is_null = setting.value == states_nothing;
    if (!each.value.empty() && std::ranges::find(valid, each.value) == valid.end())
      valid.emplace_back(each.value);
    if (!is_null && !each.value.empty() && each.value != setting.value) continue;
    is_valid = true;
    all.push_back(setting);
    all.back().key = each.row;
    if (!is_null && !each.becomes.empty()) all.back().value = each.becomes;
  }
  if (is_known && !is_valid)
    throw InputError(setting.place, setting.key,
                     fmt::format("'{}' is not understood here: {}", shortened(setting.value),
                                 list_text(valid, "or")));
  return is_known;
}

}  // namespace

LaunchFile renamed(const LaunchFile& file, std::span<const LaunchName> names) {
  LaunchFile named = file;
  named.settings.clear();
  for (const LaunchSetting& setting : file.settings)
    if (!add_renamed(setting, names, named.settings)) named.settings.push_back(setting);
  for (LaunchUnknown& unknown : named.not_understood) {
    const auto found = std::ranges::find(names, unknown.key, &LaunchName::key);
    if (found != names.end()) unknown.key = found->row;
  }
  return named;
}

}  // namespace formats
}  // namespace tofn
