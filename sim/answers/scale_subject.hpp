#pragma once

#include <functional>
#include <optional>
#include <string>

#include "sim/scaling/critical_size.hpp"
#include "sim/scaling/scaled_point.hpp"

namespace tofn {

/// A job whose scaling can be asked for. Each function throws InputError where the job does not
/// split over so many accelerators. What it points to must outlive it.
struct ScaleSubject {
  std::string name;         ///< `bert`
  std::string machine;      ///< `H100 SXM (dgx-h100)`
  std::string accelerator;  ///< `H100 SXM`
  std::string notes;        ///< what the figures rest on
  std::string memory;       ///< what is known of it where `largest_pass` is absent
  /// At the batch that trains soonest; absent where no target is known.
  std::function<ScaledPoint(int accelerators)> soonest;
  std::function<ScaledPoint(int accelerators, double batch)> strong;
  std::function<ScaledPoint(int accelerators, double samples_per_replica)> weak;
  /// The step at a batch that need not split evenly, to search over sizes.
  std::function<std::optional<StepTimes>(int accelerators, double batch)> step;
  /// Largest whole micro-batch that the memory holds, 0 where not one sample fits; absent where
  /// memory is not counted.
  std::function<double(int accelerators)> largest_pass;
  double model_parallel = 1;  ///< accelerators that share a sample
  int stride = 1;             ///< sizes that whole nodes and whole replicas make
};

}  // namespace tofn
