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
/// 80`), DeepSpeed's (`[INFO] [config.py:1000:print]   zero_enabled ..... True`) or maps with one
/// argument a line (`num_layers: 80`, `"stage": 3,`).
std::vector<StatedArgument> stated_arguments(std::string_view text, const std::string& file,
                                             std::span<const std::string_view> names);

/// Returns the first line that contains each of the `phrases`, which are both name and value.
std::vector<StatedArgument> stated_phrases(std::string_view text, const std::string& file,
                                           std::span<const std::string_view> phrases);

}  // namespace formats
}  // namespace tofn
