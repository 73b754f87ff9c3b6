#pragma once

#include <string>
#include <vector>

#include "sim/training/run.hpp"

namespace tofn::test {

// Invented machines, workloads and runs with round figures, for computation by hand.

/// A chip with 1000 TFLOP/s in bf16, 2000 in fp8, and memory of 2 TB/s.
inline Accelerator synthetic_accelerator(const std::string& name = "T1") {
  Accelerator accelerator;
  accelerator.name = name;
  accelerator.vendor = "Test";
  accelerator.memory_bandwidth = {BytesPerSecond{2e12}};
  accelerator.peak[static_cast<std::size_t>(Precision::Bf16)] = {FlopsPerSecond{1e15}};
  accelerator.peak[static_cast<std::size_t>(Precision::Fp8)] = {FlopsPerSecond{2e15}};
  return accelerator;
}

/// A cluster of nodes of eight, one scale-up domain each, without a network.
inline Cluster synthetic_cluster(const Accelerator& accelerator = synthetic_accelerator()) {
  Cluster cluster;
  cluster.name = "one-node";
  cluster.accelerator = accelerator;
  cluster.accelerators_per_node = {8};
  cluster.scale_up = {.kind = ScaleUpKind::Switch,
                      .domain_accelerators = {8},
                      .bandwidth = {BytesPerSecond{400e9}},
                      .bandwidth_efficiency = {0.5},
                      .latency = {Seconds{1e-6}},
                      .in_switch_reduction = {false}};
  return cluster;
}

/// Workload of 1 TFLOP forward and 2 TFLOP backward a sample, all in matrix products. It has 1e9
/// parameters that no collective synchronises. An evaluation on 100 samples overlaps training every
/// 1000 samples.
inline Workload synthetic_workload() {
  Workload workload;
  workload.name = "tiny";
  workload.parameters = workload.trainable_parameters = 1e9;
  workload.layers.push_back({.name = "body",
                             .count = 1,
                             .parameters = 1e9,
                             .trainable_parameters = 1e9,
                             .arithmetic = Arithmetic::Matmul,
                             .forward = {Flops{1e12}},
                             .backward = {Flops{2e12}},
                             .forward_operators = 100,
                             .backward_operators = 300});
  workload.gradients = {.bytes_per_parameter = {2},
                        .parameters_bytes_per_parameter = {2},
                        .bucket = {Bytes{2e9}},
                        .overlapped_bucket = {},
                        .synchronisation = {}};
  workload.optimizer = {.bytes_per_parameter = {0}, .sharded_over = Sharding::None};
  workload.evaluation.mode = EvaluationMode::Overlapped;
  workload.evaluation.samples = {100};
  workload.evaluation.interval = Sourced<double>{1000};
  workload.convergence = {{.batch = 8, .samples = 10000, .standard_deviation = 500, .runs = 20},
                          {.batch = 800, .samples = 20000, .standard_deviation = 1000, .runs = 20}};
  return workload;
}

/// A run that is data parallel over eight accelerators unless its plan is changed.
inline RunDescription synthetic_run(const Workload& workload, const Cluster& cluster,
                                    double micro_batch, const std::string& release = "24.10") {
  RunDescription run;
  run.workload = &workload;
  run.cluster = &cluster;
  run.plan.data_parallel_size = 8;
  run.plan.micro_batch = micro_batch;
  run.settings.software_release = release;
  return run;
}

/// Observation that a run with this profile would log.
inline Observation observed(const RunDescription& run, const ComputeProfile& profile) {
  const auto step = step_source(*run.workload, *run.cluster, run.plan, run.settings, profile);
  Observation seen;
  seen.run = run;
  seen.step = step->times().total;
  return seen;
}

inline std::vector<const Observation*> pointers(const std::vector<Observation>& observations) {
  std::vector<const Observation*> all;
  all.reserve(observations.size());
  for (const Observation& each : observations) all.push_back(&each);
  return all;
}

}  // namespace tofn::test
