#pragma once

#include <string>
#include <string_view>

#include "sim/launch/launch_file.hpp"
#include "tests/refusal.hpp"

namespace tofn::test {

/// The value that counts of a key, or `none`.
inline std::string value_of(const LaunchFile& file, std::string_view key) {
  std::string value = "none";
  for (const LaunchSetting& setting : file.settings)
    if (setting.key == key) value = setting.value;
  return value;
}

/// Where it stands, as messages show it.
inline std::string place_of(const LaunchFile& file, std::string_view key) {
  std::string place = "none";
  for (const LaunchSetting& setting : file.settings)
    if (setting.key == key) place = to_text(setting.place);
  return place;
}

/// What is not understood of a key: `place: text (reason)`.
inline std::string unknown_of(const LaunchFile& file, std::string_view key) {
  for (const LaunchUnknown& unknown : file.not_understood)
    if (unknown.key == key)
      return to_text(unknown.place) + ": " + unknown.text + " (" + unknown.reason + ")";
  return "none";
}

}  // namespace tofn::test
