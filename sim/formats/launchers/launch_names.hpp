#pragma once

#include <span>

#include "sim/formats/launchers/launch_file.hpp"
#include "sim/formats/launchers/load_launcher.hpp"

namespace tofn {
inline namespace formats {

/// Returns the file with its keys replaced by the rows that `LaunchName`s give. If a key has
/// several, each one whose value matches adds a setting, and `null` matches all. Throws InputError
/// if a value is none of those that its key may have.
LaunchFile renamed(const LaunchFile&, std::span<const LaunchName>);

}  // namespace formats
}  // namespace tofn
