#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/training/run.hpp"

namespace tofn {
inline namespace calibration {

/// Term that is fitted beside the efficiencies: the overhead per pass, if the batches differ; the
/// cost of overlapped traffic, if only some runs overlap; the cost of splitting the context, if
/// only some runs split it; or none.
enum class Learned { Efficiencies, Overhead, OverlapLoss, ContextLoss };

/// Steps of one workload on one accelerator, explained by one overhead per pass and one efficiency
/// per software release, with the whole step model (communication, optimizer). The user's own steps
/// are a separate release, whatever its name.
struct StepFit {
  struct Release {
    std::string name;
    double efficiency = 0;
    double spread = 0;         ///< relative, between systems, at least that of a single measurement
    double server_spread = 0;  ///< robust relative deviation between systems alone
    int observations = 0;
    std::string profile{};  ///< the user's step profile that it is from; empty for published runs
    /// True if its own batches separate overhead from arithmetic; otherwise the overhead is that of
    /// the other releases.
    bool tells_overhead = false;
  };
  std::vector<Release> releases;  ///< in order of first appearance
  Seconds overhead;
  double overhead_spread = 0;  ///< relative standard error
  double overlap_loss = 0;
  double context_loss = 0;
  Learned learned = Learned::Efficiencies;
  double smallest_batch = 0;
  double largest_batch = 0;
  double worst_residual = 0;  ///< relative
  struct Split {
    int tensor_parallel_size = 1;
    int context_parallel_size = 1;
    bool operator==(const Split&) const = default;
  };
  struct ObservedSplit {
    Split split;
    int with_fp8_attention = 0;
    int without = 0;
  };
  std::vector<ObservedSplit> splits;  ///< of one sample over accelerators

  const ObservedSplit* find(const Split&) const;
};

StepFit::Split split_of(const Plan&);

/// Terms that are given, not fitted.
struct KnownTerms {
  Seconds overhead;
  double overlap_loss = 0;
  double context_loss = 0;
};

/// Fits by least relative deviations (reweighted least squares), so that one slow server does not
/// tilt the fit. All observations must have a step. The fitted term overrides the known one.
StepFit fit_steps(std::span<const Observation* const>, Learned, const KnownTerms&);

}  // namespace calibration
}  // namespace tofn
