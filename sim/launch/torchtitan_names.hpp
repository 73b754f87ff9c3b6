#pragma once

#include "sim/launch/launch_stack.hpp"

// What the versions of torchtitan have in common.

namespace tofn {
inline namespace launch {

/// Schedule and chunks of the key that both versions have.
void read_titan_pipeline(const LaunchValues&, Plan&);
/// Whether layers are compiled: those of a file that compiles its loss alone are not.
void read_titan_compile(const LaunchValues&, Plan&);
/// Where passes do not gather parameters again, gradients are shards on one stage and whole on
/// pipelines: torchtitan/models/llama3/infra/parallelize.py.
void read_titan_sharding(const LaunchValues&, int accelerators_per_node, LaunchedTraining&);

}  // namespace launch
}  // namespace tofn
