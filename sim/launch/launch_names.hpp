#pragma once

#include <span>

#include "sim/config/load_launcher.hpp"
#include "sim/launch/launch_file.hpp"

namespace tofn {
inline namespace launch {

/// The file under the names of rows. A key may have several: all of its value count, and `null`
/// is that of each. Throws InputError where a value is none of those of its key.
LaunchFile renamed(const LaunchFile&, std::span<const LaunchName>);

}  // namespace launch
}  // namespace tofn
