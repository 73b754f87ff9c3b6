#pragma once

#include "sim/model/model.hpp"
#include "sim/workload/workload.hpp"

namespace tofn {
inline namespace config {

/// Relation between a workload's samples and its model's.
struct ModelUse {
  double samples_per_sequence = 1;  ///< workload samples in one of the model's (packing)
  /// Computed share of a sequence's attention; packed samples attend only to themselves.
  double attention_share = 1;
};

/// Returns the model's layers for a workload: values of one of its samples on one accelerator,
/// without recomputation.
std::vector<Layer> workload_layers(const Model&, const ModelUse&);

/// Returns the exchanges of one transformer layer of the model when it is split. InputError if the
/// model has none.
TensorParallelTraffic tensor_traffic(const Model&, const ModelUse&);
ContextParallelTraffic context_traffic(const Model&, const ModelUse&);

}  // namespace config
}  // namespace tofn
