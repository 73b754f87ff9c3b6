#pragma once

#include <optional>
#include <string>

#include "sim/calibration/calibration.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace calibration {

/// Description of a workload's run, whose absent sizes are chosen for each number of accelerators.
struct OpenDescription {
  const Workload* workload = nullptr;
  const Cluster* cluster = nullptr;
  RunSettings settings{};
  int runs = 10;
  std::optional<int> tensor_parallel_size{};
  std::optional<int> context_parallel_size{};
  std::optional<int> gradient_accumulation{};
  std::optional<double> global_batch{};
  std::optional<int> replica_batch{};  ///< samples per replica and step, in place of a global batch
  /// Plan that replaces the default of a workload whose steps are simulated.
  std::optional<Plan> plan{};
};

/// Calibrated parameters; assumed ones if nothing of the workload was observed.
RunParameters parameters_of(const RunDescription&, const Calibration&);

/// The run with these parameters.
Run benchmark_run(const RunDescription&, const Calibration&, std::uint64_t seed = default_seed);

/// The newest release that calibrated the workload on the accelerator, else on any; empty if none.
std::string newest_release(const Calibration&, const Workload&, const Accelerator&);

/// Fewest accumulation steps that split a replica's samples evenly into passes of at most `largest`
/// samples; 1 if that makes passes less than half as large.
int accumulation_for(double samples_per_replica, double largest);

/// Chooses the run on `accelerators`; InputError if no plan or batch fits, or if neither a batch
/// nor convergence is known.
///
/// Tensor parallelism is 4 or a size of one-domain runs on the accelerator: of those that need the
/// least context parallelism, the one predicted to train soonest. Context parallelism doubles while
/// there are more replicas than samples, inside one scale-up domain. The batch is one whose
/// convergence is known (or a neighbour, if it does not split evenly over the replicas) and whose
/// passes are no larger than those in calibration: of those with the fewest accumulation steps, the
/// one predicted to train soonest. `choose_simulated_run` chooses if steps are simulated.
RunDescription choose_run(const OpenDescription&, int accelerators, const Calibration&);

/// `choose_run` of a workload whose steps are simulated. A requested plan keeps its tensor-parallel
/// size and its micro-batch. The workload's own plan takes passes of at most its micro-batch that
/// fit the memory; where a replica has fewer samples than that, twice and four times its
/// tensor-parallel size are tried. A batch that is not stated is a known one, or its neighbour of
/// full, half or quarter passes. Of runs that fit, the one predicted to train soonest.
RunDescription choose_simulated_run(const OpenDescription&, int accelerators, const Calibration&);

}  // namespace calibration
}  // namespace tofn
