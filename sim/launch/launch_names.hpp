#pragma once

#include <span>

#include "sim/config/load_launcher.hpp"
#include "sim/launch/launch_file.hpp"

namespace tofn {
inline namespace launch {

/// Returns the file with its keys replaced by the rows that `LaunchName`s give. If a key has
/// several, each one whose value matches adds a setting, and `null` matches all. Throws InputError
/// if a value is none of those that its key may have.
LaunchFile renamed(const LaunchFile&, std::span<const LaunchName>);

}  // namespace launch
}  // namespace tofn
