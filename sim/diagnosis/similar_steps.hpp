#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/simulation/fit_efficiency.hpp"

namespace tofn {
inline namespace diagnosis {

/// A published step with its prediction.
struct SimilarStep {
  std::string stack{}, model{}, accelerator{}, source{};
  Precision precision = Precision::Bf16;
  int accelerators = 0;
  double tokens_each = 0;  ///< tokens of a step per accelerator
  double parameters = 0;
  Seconds measured{};
  Seconds predicted{};
  double utilisation = 0;  ///< of the peak, by the model's FLOPs (MFU)

  double ratio() const { return measured / predicted; }
};

/// Published steps that are similar to a job.
struct SimilarSteps {
  std::string likeness{};                ///< common properties: `of megatron-core on H100 SXM`
  std::vector<SimilarStep> steps{};      ///< by measured over predicted time, fastest first
  std::optional<SimilarStep> nearest{};  ///< on the same chip, by model, size, batch, stack

  /// 5 % and 95 % quantiles of measured over predicted time.
  Interval ratios() const;
  Interval utilisations() const;
  /// Share of the steps that are faster, relative to their predictions, than `ratio`.
  double share_faster_than(double ratio) const;
};

/// Returns the published steps of configs/measured that are most similar to the job: the same
/// stack, chip, kind of model, precision and size, or as many of these as leave enough steps.
SimilarSteps similar_steps(const StepCase& job, const KernelProfile& stack,
                           const std::filesystem::path& configs);

/// Model FLOPs utilisation (MFU) of a job's step of this duration, as a share of the peak.
double utilisation_of(const StepCase& job, Seconds step);

}  // namespace diagnosis
}  // namespace tofn
