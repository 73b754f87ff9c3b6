#pragma once

#include <span>
#include <string_view>

#include "sim/launch/launch_file.hpp"

namespace tofn {
inline namespace launch {

/// A key of files that is a row of its stack under another name, with any value or with one.
struct LaunchName {
  std::string_view key;
  std::string_view row;
  std::string_view value = {};    ///< that the key must have; empty: any
  std::string_view becomes = {};  ///< the row's value; empty: the key's
};

/// The file under the names of rows. A key may have several: all of its value count, and `null`
/// is that of each. Throws InputError where a value is none of those of its key.
LaunchFile renamed(const LaunchFile&, std::span<const LaunchName>);

}  // namespace launch
}  // namespace tofn
