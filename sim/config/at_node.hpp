#pragma once

#include "sim/core/error.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace config {

/// Returns the result of `work`; its InputErrors get the node's place.
template <class Work>
auto at_node(const YamlNode& node, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    node.fail(error.what());
  }
}

}  // namespace config
}  // namespace tofn
