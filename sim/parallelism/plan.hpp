#pragma once

#include "sim/cluster/communicator.hpp"

namespace tofn {

/// How the ranks of a job share the work: accelerators = data * tensor * pipeline * context, and
/// global batch = micro_batch * data * gradient_accumulation.
struct Plan {
  int tensor_parallel_size = 1;
  int pipeline_parallel_size = 1;
  int context_parallel_size = 1;
  int data_parallel_size = 1;
  int gradient_accumulation = 1;
  double micro_batch = 1;  ///< samples per replica and pass

  int accelerators() const {
    return tensor_parallel_size * pipeline_parallel_size * context_parallel_size *
           data_parallel_size;
  }
  /// Accelerators that share one sample.
  int model_parallel_size() const { return accelerators() / data_parallel_size; }
  double global_batch() const { return micro_batch * data_parallel_size * gradient_accumulation; }
};

/// Checks sizes and products: every size at least 1, tp*pp*cp divides the accelerators, the data
/// parallel size is the rest, and every replica gets at least one sample a pass (on average: a
/// published batch need not divide evenly). InputError otherwise. The rest gives `micro_batch`.
struct PlanRequest {
  int accelerators = 1;
  double global_batch = 1;
  int tensor_parallel_size = 1;
  int pipeline_parallel_size = 1;
  int context_parallel_size = 1;
  int gradient_accumulation = 1;
};
Plan make_plan(const PlanRequest&);

// Ranks are numbered tensor first, then context, then data (Megatron-LM's order tp-cp-dp-pp).
RankSet tensor_ranks(const Plan&);
RankSet context_ranks(const Plan&);
/// Ranks that hold the same parameters: data and context parallel ones reduce gradients together.
RankSet gradient_ranks(const Plan&);

}  // namespace tofn
