#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tofn {
inline namespace answers {

/// Accelerator-hours that a training run took, with the hours of its simulation and those of its
/// arithmetic at the peak. A run of which only the goodput is known has no stated hours.
struct RunHours {
  std::string family;  ///< model family, which is left out of a fit as a whole
  double stated = 0;
  double simulated = 0;
  double at_peak = 0;            ///< 6 FLOPs a parameter and token, at the peak
  bool are_steps_alone = false;  ///< stated and simulated hours are both of steps alone
  bool hold_more = false;        ///< other work than passes over the tokens; not used in a fit
  /// Share of the run's time that its steps took, as its authors state it (or its bound), and the
  /// share that the simulated interruptions leave.
  std::optional<double> goodput{};
  double simulated_goodput = 1;
};

/// Model of the hours of published runs. Steps take factor x simulated^weight x at_peak^(1 -
/// weight): the simulated utilisation is drawn towards the typical one, because plans and software
/// of others' runs are not known. A whole run takes e^excess times the steps.
struct TypicalHours {
  double weight = 0;  ///< 0: one utilisation for all; 1: simulated hours times a factor
  double factor = 1;
  double spread = 1;  ///< nine of ten runs' steps are within this factor, or 1 / it
  double excess = 0;  ///< mean logarithm of a run's time over its steps and interruptions

  double of(const RunHours&) const;
};

/// Fits the hours to the runs of all families but one.
/// The excess is the mean of ln(simulated goodput / stated goodput), at least 0, over runs that
/// state both. Hours of steps are the stated hours if these are of steps alone, their share by the
/// goodput if that is known, and else the stated hours without the mean excess. The factor is the
/// median over runs, with equal weights of all families. The weight is the multiple of a quarter
/// with the least mean absolute logarithm of the error, if each family in turn is predicted from
/// the others. The spread is the 90th percentile of these errors, as a further family would find
/// it. If `weight` is given, it is not fitted.
TypicalHours typical_hours(std::span<const RunHours>, std::string_view left_out);
TypicalHours typical_hours(std::span<const RunHours>, std::string_view left_out, double weight);

/// Median of stated hours over the hours at the peak, of all families but one, with equal weights
/// of families: an estimate without any simulation.
double one_utilisation(std::span<const RunHours>, std::string_view left_out);

}  // namespace answers
}  // namespace tofn
