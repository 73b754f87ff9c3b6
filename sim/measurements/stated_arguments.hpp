#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/error.hpp"

namespace tofn {
inline namespace measurements {

/// What a log's dump of its program's arguments gives one of them.
struct StatedArgument {
  std::string name;
  std::string value;
  Location place;
};

/// The first line that states each argument, of Megatron-LM's dump (`num_layers ..... 80`) and of
/// maps of one a line (`num_layers: 80`); of the names that are asked for.
std::vector<StatedArgument> stated_arguments(std::string_view text, const std::string& file,
                                             std::span<const std::string_view> names);

}  // namespace measurements
}  // namespace tofn
