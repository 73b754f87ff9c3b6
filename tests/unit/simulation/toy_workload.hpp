#pragma once

#include "sim/parallelism/plan.hpp"
#include "sim/workload/workload.hpp"

// Workloads, a profile and plans with round figures for the tests of calibrated steps.
namespace tofn::test {

/// Two layers with 1 + 2 TFLOP together, and a million parameters, whose 2 MB of gradients fill two
/// buckets.
inline Workload toy_workload() {
  using namespace literals;
  Workload made;
  made.name = "toy";
  made.parameters = 1e6;
  made.trainable_parameters = 1e6;
  made.layers.push_back({.name = "layer",
                         .count = 2,
                         .parameters = 0.5e6,
                         .trainable_parameters = 0.5e6,
                         .arithmetic = Arithmetic::Matmul,
                         .forward = {0.5_TFLOP, ""},
                         .backward = {1_TFLOP, ""},
                         .forward_operators = 1,
                         .backward_operators = 2});
  made.gradients = {.bytes_per_parameter = {2, ""},
                    .parameters_bytes_per_parameter = {4, ""},
                    .bucket = {1_MB, ""},
                    .overlapped_bucket = {},
                    .synchronisation = {{.collective = CollectiveKind::AllReduce,
                                         .group = SyncGroup::Data,
                                         .payload = SyncPayload::Gradients,
                                         .overlaps = Overlap::Nothing,
                                         .when = SyncWhen::Always}}};
  made.optimizer = {.bytes_per_parameter = {10, ""}, .sharded_over = Sharding::None};
  made.tensor_parallel = TensorParallelTraffic{.layers = {3, ""},
                                               .forward_collectives = {1, ""},
                                               .backward_collectives = {1, ""},
                                               .payload = {2_MB, ""}};
  made.context_parallel = ContextParallelTraffic{.layers = {3, ""}, .payload = {4_MB, ""}};
  return made;
}

/// Half of the peak, 6 ms of overhead a step, and a loss of a quarter of overlapped traffic.
inline ComputeProfile toy_compute() {
  using namespace literals;
  ComputeProfile profile;
  profile.efficiency = 0.5;
  profile.overhead = 6_ms;
  profile.overlap_loss = 0.25;
  return profile;
}

/// Plan of one pass with one sample a replica.
inline Plan split(int tensor, int context, int data) {
  return {.tensor_parallel_size = tensor,
          .pipeline_parallel_size = 1,
          .context_parallel_size = context,
          .data_parallel_size = data,
          .gradient_accumulation = 1,
          .micro_batch = 1};
}

/// Two layers of 1 + 2 TFLOP of products, then one of 1 + 2 TFLOP of attention without parameters;
/// each has 1 + 2 operators.
inline Workload attentive_workload() {
  using namespace literals;
  Workload made = toy_workload();
  Layer& products = made.layers[0];
  products.forward.value = 1_TFLOP;
  products.backward.value = 2_TFLOP;
  Layer attention = products;
  attention.count = 1;
  attention.parameters = attention.trainable_parameters = 0;
  attention.arithmetic = Arithmetic::Attention;
  made.layers.push_back(attention);
  return made;
}

}  // namespace tofn::test
