#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace formats {

/// One argument of a program, as its log dumps it.
struct StatedArgument {
  std::string name;
  std::string value;
  Location place;
};

/// Returns the first line that states each of the `names`, in Megatron-LM's dump (`num_layers .....
/// 80`) or in maps with one argument a line (`num_layers: 80`).
std::vector<StatedArgument> stated_arguments(std::string_view text, const std::string& file,
                                             std::span<const std::string_view> names);

}  // namespace formats
}  // namespace tofn
