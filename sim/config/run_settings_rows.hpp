#pragma once

#include "sim/parallelism/run_settings.hpp"
#include "sim/yaml/field_rows.hpp"

namespace tofn {
inline namespace config {

/// Rows of the map `settings` of plans and step profiles, to be read, written or listed.
template <class Walk, class Settings>
void settings_rows(Walk& walk, Settings& of) {
  walk({"precision", "precision of the arithmetic"}, of.precision);
  walk({"fp8_attention", "attention in 8 bits"}, of.fp8_attention);
  walk({"tensor_overlap", "tensor-parallel traffic beside products, in chunks"}, of.tensor_overlap);
  walk({"cuda_graphs", "part of a step that is replayed as a CUDA graph"}, of.cuda_graphs);
  walk({"in_network_reduction", "switches reduce (SHARP)"}, of.in_network_reduction);
  walk({"overlap_gradient_reduction", "gradients are reduced beside the backward pass"},
       of.overlap_gradient_reduction);
}

}  // namespace config
}  // namespace tofn
