#pragma once

#include "sim/rollout/rl_job.hpp"
#include "sim/yaml/yaml_reader.hpp"

namespace tofn {
inline namespace yaml {
class FieldLister;
}
inline namespace config {

/// Reads RL post-training, the map `rl` of a phase.
RlJob read_rl_job(const YamlNode&);

/// Lists its keys.
void list_rl_keys(FieldLister&);

}  // namespace config
}  // namespace tofn
