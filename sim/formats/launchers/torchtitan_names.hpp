#pragma once

#include "sim/formats/launchers/launch_stack.hpp"

// Functions that the versions of torchtitan share.

namespace tofn {
inline namespace formats {

/// Reads schedule and chunks from the key that both versions have.
void read_titan_pipeline(const LaunchValues&, Plan&);
/// Reads whether layers are compiled; a file that compiles only its loss does not compile them.
void read_titan_compile(const LaunchValues&, Plan&);
/// Reads the sharding. If passes do not gather parameters again, gradients are sharded without a
/// pipeline and whole with one: torchtitan/models/llama3/infra/parallelize.py.
void read_titan_sharding(const LaunchValues&, int accelerators_per_node, LaunchedTraining&);

}  // namespace formats
}  // namespace tofn
