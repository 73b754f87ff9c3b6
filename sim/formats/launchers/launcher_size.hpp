#pragma once

#include <string_view>

#include "sim/formats/launchers/launch_stack.hpp"

namespace tofn {
inline namespace formats {

/// Number of accelerators on which the process launcher starts, if the file states it. A file that
/// states no nodes is assumed to use one.
LaunchSize launcher_size(const LaunchFile&, int accelerators_per_node);

/// True if the key is an option of a process launcher, its program, or an argument.
bool is_launchers(std::string_view key);

}  // namespace formats
}  // namespace tofn
