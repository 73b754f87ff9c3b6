#pragma once

#include <optional>
#include <string>

#include "sim/calibration/calibration.hpp"
#include "sim/training/benchmark_run.hpp"

namespace tofn {
inline namespace calibration {

/// What a user asks for; what is absent is chosen for each number of accelerators.
struct RunRequest {
  const Workload* workload = nullptr;
  const Cluster* cluster = nullptr;
  RunSettings settings;
  int runs = 10;
  std::optional<int> tensor_parallel_size;
  std::optional<int> context_parallel_size;
  std::optional<int> gradient_accumulation;
  std::optional<double> global_batch;
  std::optional<int> replica_batch{};  ///< samples per replica and step, instead of a global batch
  /// Of a workload whose steps are simulated: in place of its own.
  std::optional<Plan> plan{};
  ExpenseOptions expenses{};
  double grid_intensity = default_grid_intensity;  ///< g/kWh
};

/// Calibrated parameters; assumed ones where nothing of the workload was observed.
RunParameters parameters_of(const RunDescription&, const Calibration&);

/// That run with so many draws of it.
BenchmarkRun benchmark_run(const RunDescription&, const Calibration&, std::uint64_t seed,
                           int draws = default_draws);

/// The newest release that calibrated the workload on the accelerator, else on any; empty if none.
std::string newest_release(const Calibration&, const Workload&, const Accelerator&);

/// The fewest accumulation steps that split a replica's samples evenly into passes of at most
/// `largest` samples; 1 where that would make passes less than half as large.
int accumulation_for(double samples_per_replica, double largest);

/// The run on that many accelerators. Tensor parallelism: 4 or a size that one-domain runs on the
/// accelerator had: of those that need the least context parallelism, the one predicted to train
/// soonest. Context parallelism doubles while there are more replicas than samples, inside one
/// scale-up domain. Batch: of those whose convergence is known (the neighbours that split evenly
/// over the replicas, where they do not) and whose passes are no larger than calibration saw, with
/// the fewest accumulation steps, the one predicted to train soonest. InputError where no plan or
/// batch fits, or where neither a batch nor convergence is known. Where steps are simulated the
/// plan is the workload's own, with the sizes asked for.
RunDescription choose_run(const RunRequest&, int accelerators, const Calibration&);

}  // namespace calibration
}  // namespace tofn
