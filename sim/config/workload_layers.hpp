#pragma once

#include "sim/model/model.hpp"
#include "sim/workload/workload.hpp"

namespace tofn {
inline namespace config {

/// How a workload runs its model.
struct ModelUse {
  double samples_per_sequence = 1;  ///< of the workload, in one of the model's samples (packing)
  double attention_share = 1;       ///< of a sequence's attention that is computed: packed samples
                                    ///< attend to themselves alone
};

/// The model's layers as a workload has them: figures of one of its samples, on one accelerator,
/// nothing recomputed.
std::vector<Layer> workload_layers(const Model&, const ModelUse&);

/// What one of the model's transformer layers exchanges where it is split; InputError where the
/// model has none.
TensorParallelTraffic tensor_traffic(const Model&, const ModelUse&);
ContextParallelTraffic context_traffic(const Model&, const ModelUse&);

}  // namespace config
}  // namespace tofn
