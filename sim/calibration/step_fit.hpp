#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/training/observation.hpp"

namespace tofn {
inline namespace calibration {

/// What a fit learns beside the efficiencies: the overhead per pass, where the batches differ; how
/// much overlapped traffic costs, where some runs overlap and others do not; how much splitting the
/// context does, where some runs split it and others do not; or nothing.
enum class Learnt { Efficiencies, Overhead, OverlapLoss, ContextLoss };

/// Steps of one workload on one accelerator, to be explained by one overhead per pass and one
/// efficiency per software release, the whole step model (communication, optimizer) included. The
/// user's own steps are a release of their own, whatever its name.
struct StepFit {
  struct Release {
    std::string name;
    double efficiency = 0;
    double spread = 0;         ///< relative, between systems, at least that of a single measurement
    double server_spread = 0;  ///< robust relative deviation between systems alone
    int observations = 0;
    std::string profile{};  ///< the user's step profile that it is from; empty: published runs
    /// Its own batches tell overhead from arithmetic; else the overhead is the other releases'.
    bool tells_overhead = false;
  };
  std::vector<Release> releases;  ///< in order of first appearance
  Seconds overhead;
  double overhead_spread = 0;  ///< relative standard error
  double overlap_loss = 0;
  double context_loss = 0;
  Learnt learnt = Learnt::Efficiencies;
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

/// What is not learnt but given.
struct KnownTerms {
  Seconds overhead;
  double overlap_loss = 0;
  double context_loss = 0;
};

/// Least relative deviations (least squares reweighted), so that one slow server does not tilt the
/// fit; all observations have a step. The quantity learnt overrides the known one.
StepFit fit_steps(std::span<const Observation* const>, Learnt, const KnownTerms&);

}  // namespace calibration
}  // namespace tofn
