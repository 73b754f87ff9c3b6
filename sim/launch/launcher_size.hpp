#pragma once

#include <string_view>

#include "sim/launch/launch_stack.hpp"

namespace tofn {
inline namespace launch {

/// How many accelerators the launcher of processes starts, where the file says so; of one node
/// where it names none.
LaunchSize launcher_size(const LaunchFile&, int accelerators_per_node);

/// Whether a key is an option of a launcher of processes, its program, or an argument.
bool is_launchers(std::string_view key);

}  // namespace launch
}  // namespace tofn
