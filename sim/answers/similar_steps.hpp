#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/simulation/fit_efficiency.hpp"

namespace tofn {
inline namespace answers {

/// A published step beside what is predicted of it.
struct SimilarStep {
  std::string stack{}, model{}, accelerator{}, source{};
  Precision precision = Precision::Bf16;
  int accelerators = 0;
  double tokens_each = 0;  ///< of a step, on an accelerator
  double parameters = 0;
  Seconds measured{};
  Seconds predicted{};
  double utilisation = 0;  ///< of the peak, by the model's FLOPs (MFU)

  double ratio() const { return measured / predicted; }
};

/// Published steps that are like a job.
struct SimilarSteps {
  std::string likeness{};            ///< what they have in common: `of megatron-core on H100 SXM`
  std::vector<SimilarStep> steps{};  ///< the fastest beside its prediction first
  std::optional<SimilarStep> nearest{};  ///< of the same chip by model, size, batch and stack

  /// From 5 to 95 %.
  Interval ratios() const;
  Interval utilisations() const;
  /// Of them, how many are faster than a step that takes so many times its prediction.
  double share_faster_than(double ratio) const;
};

/// The published steps of configs/measured that are most like the job: of its stack, chip, kind of
/// model, precision and size, or what of these leaves enough of them.
SimilarSteps similar_steps(const StepCase& job, const KernelProfile& stack,
                           const std::filesystem::path& configs);

/// Share of the peak that the model's FLOPs make of a step of such a time.
double utilisation_of(const StepCase& job, Seconds step);

}  // namespace answers
}  // namespace tofn
