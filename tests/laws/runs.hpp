#pragma once

#include <string>
#include <vector>

#include "sim/calibration/calibration.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/calibrated_step.hpp"
#include "sim/training/run.hpp"
#include "tests/laws/machines.hpp"

// Inputs of the laws of steps and runs: workloads, machines and the plans that fit them.
namespace tofn::test {

/// Tensor and context parallel sizes, and the number of replicas.
struct Split {
  int tensor = 1;
  int context = 1;
  int replicas = 1;
};

inline Plan plan_of(Split split, double micro_batch, int accumulation = 1) {
  return {.tensor_parallel_size = split.tensor,
          .pipeline_parallel_size = 1,
          .context_parallel_size = split.context,
          .data_parallel_size = split.replicas,
          .gradient_accumulation = accumulation,
          .micro_batch = micro_batch};
}

/// A profile in which every term costs time.
inline ComputeProfile busy_profile(const Workload& workload) {
  ComputeProfile profile;
  profile.precision = pass_precision(workload.precision, false);
  profile.efficiency = 0.4;
  profile.efficiency_spread = 0.1;
  profile.overhead = Seconds{0.005};
  profile.overhead_spread = 0.1;
  profile.overlap_loss = 0.3;
  profile.node_spread = 0.01;
  return profile;
}

/// Settings in which nothing overlaps, and settings in which everything does that can.
inline std::vector<RunSettings> settings_at_both_ends() {
  std::vector<RunSettings> both(2);
  for (std::size_t i = 0; i < both.size(); ++i) {
    both[i].tensor_overlap = i == 1;
    both[i].overlap_gradient_reduction = i == 1;
    both[i].in_network_reduction = i == 1;
    both[i].fp8_attention = i == 1;
  }
  return both;
}

struct CalibratedStepCase {
  const Workload* workload = nullptr;
  const Cluster* cluster = nullptr;
  Split split;
  double micro_batch = 1;
  RunSettings settings;

  std::string text() const {
    return workload->name + " on " + cluster->name + ", tp " + std::to_string(split.tensor) +
           ", cp " + std::to_string(split.context) + ", dp " + std::to_string(split.replicas) +
           ", micro batch " + std::to_string(micro_batch) +
           (settings.tensor_overlap.value_or(false) ? ", overlapped" : "");
  }
  CalibratedStep step(const Cluster& machine, const Plan& plan) const {
    return {*workload, machine, plan, settings, busy_profile(*workload)};
  }
  CalibratedStep step(const Cluster& machine) const {
    return step(machine, plan_of(split, micro_batch));
  }
  Seconds total(const Cluster& machine) const { return step(machine).times().total; }
};

inline std::vector<Split> splits_of(const Workload& workload) {
  std::vector<Split> splits;
  for (const int tensor : {1, 2, 4, 8})
    for (const int context : {1, 2, 4}) {
      if (tensor > 1 && !workload.tensor_parallel) continue;
      if (context > 1 && !workload.context_parallel) continue;
      for (const int replicas : {1, 2, 4, 8, 64, 432})
        splits.push_back({.tensor = tensor, .context = context, .replicas = replicas});
    }
  return splits;
}

/// Workloads whose steps are fitted to measured ones.
inline std::vector<Workload> measured_workloads_of(const Library& all) {
  std::vector<Workload> found;
  for (const Workload& workload : all.workloads())
    if (!workload.simulated) found.push_back(workload);
  return found;
}
inline const std::vector<Workload>& measured_workloads() {
  static const std::vector<Workload> found = measured_workloads_of(library());
  return found;
}

/// Every workload on every machine with every split that fits, at two batches and both settings.
inline std::vector<CalibratedStepCase> step_cases() {
  std::vector<CalibratedStepCase> cases;
  for (const Workload& workload : measured_workloads())
    for (const Cluster& cluster : library().clusters())
      for (const Split& split : splits_of(workload)) {
        if (!fits(cluster, split.tensor * split.context * split.replicas)) continue;
        for (const double micro_batch : {1.0, 24.0})
          for (const RunSettings& settings : settings_at_both_ends())
            cases.push_back({&workload, &cluster, split, micro_batch, settings});
      }
  return cases;
}

/// Runs of every workload on some machines, with parameters in which every term costs time.
struct RunCase {
  RunDescription description;
  RunParameters parameters;
};
inline std::vector<RunCase> run_cases() {
  std::vector<RunCase> cases;
  for (const Workload& workload : measured_workloads())
    for (const char* name : {"dgx-h100", "gb200-nvl72", "hgx-h100-4gpu", "tpu-v5p"})
      for (const int replicas : {8, 64, 512}) {
        RunDescription run{
            .workload = &workload,
            .cluster = library().find_cluster(name),
            .plan = plan_of({.replicas = replicas}, workload.convergence[1].batch / 8),
            .settings = {},
            .runs = 10};
        RunParameters parameters = assumed_parameters(run);
        parameters.compute = busy_profile(workload);
        parameters.evaluation = {.host = Seconds{0.01}, .per_forward = 1.5};
        parameters.fixed.value = 20;
        cases.push_back({run, parameters});
      }
  return cases;
}

}  // namespace tofn::test
