#pragma once

#include <string>
#include <string_view>

#include "sim/formats/launchers/launch_file.hpp"
#include "tests/refusal.hpp"

namespace tofn::test {

/// Effective value of a key, which is the last one; `none` if there is none.
inline std::string value_of(const LaunchFile& file, std::string_view key) {
  std::string value = "none";
  for (const LaunchSetting& setting : file.settings)
    if (setting.key == key) value = setting.value;
  return value;
}

/// Place of the key's last value as messages print it; `none` if there is none.
inline std::string place_of(const LaunchFile& file, std::string_view key) {
  std::string place = "none";
  for (const LaunchSetting& setting : file.settings)
    if (setting.key == key) place = to_text(setting.place);
  return place;
}

/// Refused value of a key as `place: text (reason)`; `none` if there is none.
inline std::string unknown_of(const LaunchFile& file, std::string_view key) {
  for (const LaunchUnknown& unknown : file.not_understood)
    if (unknown.key == key)
      return to_text(unknown.place) + ": " + unknown.text + " (" + unknown.reason + ")";
  return "none";
}

}  // namespace tofn::test
