#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/answers/similar_steps.hpp"
#include "sim/answers/slow_step_causes.hpp"
#include "sim/measurements/step_log.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace answers {

/// A measured step of a model, and what is known of how it ran.
struct StepCheckQuestion {
  StepCase ran;  ///< with its measured time
  KernelProfile stack;
  std::vector<std::string> stated{};  ///< rows of the plan that somebody stated
  double spread = 0;                  ///< between single steps, relative
  int steps = 1;                      ///< that the time is the median of
  std::vector<StepRegime> regimes{};  ///< of the log, of which the last is checked; empty: one
  double own_drift = 0;               ///< of the newest steps over the first ones, less 1
  double outside = 0;                 ///< share of the clock's time between steps
  /// Whether collectives over these links were measured as slow; absent: they were not measured.
  std::optional<bool> network_is_slow{}, scale_up_is_slow{};
  std::string drift_cause{};  ///< what the log shows of these; empty: nothing
};

enum class StepVerdict { Normal, Slow, Fast };
inline constexpr std::array<std::pair<std::string_view, StepVerdict>, 3> step_verdicts{
    {{"normal", StepVerdict::Normal}, {"slow", StepVerdict::Slow}, {"fast", StepVerdict::Fast}}};

/// Whether a measured step is what similar published jobs reach, and why not.
struct StepCheckAnswer {
  StepCheckQuestion asked;
  SimulatedStep predicted;
  SimilarSteps similar;
  double utilisation = 0;  ///< MFU as measured
  double predicted_utilisation = 0;
  /// As predicted with the samples an accelerator of the nearest published step.
  std::optional<double> utilisation_at_its_batch{};
  double ratio = 1;         ///< measured over predicted
  double share_faster = 0;  ///< of the similar ones
  StepVerdict verdict = StepVerdict::Normal;
  std::vector<FittingCause> causes{};  ///< of a step that is longer; the likeliest first
  std::vector<std::string> notes{};    ///< what else the log says

  /// The longest step that is no surprise: of nine in ten similar jobs, or of the prediction's.
  Seconds longest_usual() const;
  Seconds shortest_usual() const;
  /// Those that the step's time alone does not tell from the likeliest.
  std::vector<const FittingCause*> told_apart_by_nothing() const;
};

/// InputError where the job cannot have run so: beyond the peak, or far beyond the memory.
StepCheckAnswer step_check(const StepCheckQuestion&, const std::filesystem::path& configs);

}  // namespace answers
}  // namespace tofn
