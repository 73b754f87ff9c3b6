#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/answers/run_request.hpp"
#include "sim/scaling/critical_size.hpp"
#include "sim/scaling/knee.hpp"
#include "sim/scaling/scaled_point.hpp"

namespace tofn {
inline namespace answers {

/// Question of how a run scales.
struct ScaleRequest {
  std::vector<int> sizes;  ///< accelerators, ascending
  std::optional<double> batch;
  std::optional<double> replica_batch;  ///< samples per replica and step
  KneeOptions knees;
  std::uint64_t seed = 1;  ///< of the k-means knee
};

/// A job whose scaling can be computed. Each function throws InputError if the job does not split
/// over so many accelerators. Objects that it refers to must outlive it.
struct ScaleSubject {
  std::string name;                ///< `bert`
  std::string machine;             ///< `H100 SXM (dgx-h100)`
  std::string accelerator;         ///< `H100 SXM`
  std::vector<std::string> notes;  ///< models, data and methods behind the figures
  std::string memory;              ///< sentences on memory, as far as it is known
  /// Point at the batch that trains soonest; absent if no target is known.
  std::function<ScaledPoint(int accelerators)> soonest;
  std::string soonest_rule = "the batch of known convergence that trains soonest at each N";
  std::function<ScaledPoint(int accelerators, double batch)> strong;
  std::function<ScaledPoint(int accelerators, double samples_per_replica)> weak;
  /// Step at a batch that need not split evenly, for searches over sizes.
  std::function<std::optional<StepTimes>(int accelerators, double batch)> step;
  /// Step of `weak`; absent if it is `step` at as many samples.
  std::function<std::optional<StepTimes>(int accelerators, double samples_per_replica)> weak_step{};
  double model_parallel = 1;  ///< accelerators that share a sample
  int stride = 1;             ///< step between sizes with whole nodes and whole replicas
};

/// Subject of a run, as `tofn predict` answers it. The plan of the largest requested size that has
/// one gives the split of batches that need not divide evenly. For a model, the open fields of the
/// plan are chosen on each size, and a batch trains the samples that reach the loss of the run's
/// own batch (`critical_batch`). What the request refers to must outlive it.
ScaleSubject scale_subject(const RunRequest&, const ScaleRequest&);

/// Subjects of runs of either kind.
ScaleSubject subject_of(const RunRequest&, const ModelRun&, const ScaleRequest&);
ScaleSubject subject_of(const RunRequest&, const WorkloadRun&, const ScaleRequest&);

}  // namespace answers
}  // namespace tofn
