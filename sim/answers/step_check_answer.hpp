#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/diagnosis/fitting_causes.hpp"
#include "sim/diagnosis/similar_steps.hpp"
#include "sim/formats/step_logs/step_log.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace answers {

/// A measured step of a model, with the known facts of how it ran.
struct StepCheckQuestion {
  StepCase ran;  ///< with its measured time
  KernelProfile stack;
  std::vector<std::string> stated{};  ///< names of the stated plan rows
  bool length_is_assumed = false;     ///< the model's sequence length, which nobody stated
  double spread = 0;                  ///< between single steps, relative
  int steps = 1;                      ///< number of steps that the time is the median of
  bool is_one_figure = false;         ///< the log states one time for all steps, such as their mean
  std::vector<StepRegime> regimes{};  ///< of the log; the last is checked; empty: only one
  double own_drift = 0;               ///< newest steps over the first ones, less 1
  double outside = 0;                 ///< share of the clock's time that lies between steps
  MeasuredShares links{};             ///< bandwidth of links whose collectives were measured
  std::string drift_cause{};          ///< cause of the drift in the log; empty if none shows
};

enum class StepVerdict { Normal, Slow, Fast };
inline constexpr std::array<std::pair<std::string_view, StepVerdict>, 3> step_verdicts{
    {{"normal", StepVerdict::Normal}, {"slow", StepVerdict::Slow}, {"fast", StepVerdict::Fast}}};

/// Verdict on a measured step compared with similar published jobs, with likely causes.
struct StepCheckAnswer {
  StepCheckQuestion request;
  SimulatedStep predicted;
  SimilarSteps similar;
  double utilisation = 0;  ///< measured MFU
  double predicted_utilisation = 0;
  /// Predicted MFU with the samples per accelerator of the nearest published step.
  std::optional<double> utilisation_at_its_batch{};
  double ratio = 1;         ///< measured over predicted
  double share_faster = 0;  ///< share of the similar steps that are faster, by their own ratios
  StepVerdict verdict = StepVerdict::Normal;
  std::vector<FittingCause> causes{};  ///< for a step longer than predicted; likeliest first
  std::vector<std::string> notes{};    ///< other remarks on the log

  /// Longest step that still counts as normal, by nine in ten similar jobs or by the prediction's
  /// interval.
  Seconds longest_typical() const;
  Seconds shortest_typical() const;
  /// Causes that the step time alone cannot distinguish from the likeliest one.
  std::vector<const FittingCause*> reported_apart_by_nothing() const;
};

/// InputError if the job cannot have run so, because it is above the peak or far above the memory.
StepCheckAnswer step_check(const StepCheckQuestion&, const std::filesystem::path& configs);

}  // namespace answers
}  // namespace tofn
