#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tofn {
inline namespace answers {

/// Accelerator-hours that a training run took, beside what a simulated run takes and what its
/// arithmetic would take at the peak. A run of which only the goodput is known has no hours.
struct RunHours {
  std::string family;  ///< of models: runs that tell of one another
  double stated = 0;
  double simulated = 0;
  double at_peak = 0;            ///< 6 FLOPs a parameter and token over the peak
  bool are_steps_alone = false;  ///< both stated and simulated
  bool hold_more = false;        ///< other work than the passes over the tokens: they teach nothing
  /// Share of the run's time that its steps took, as its authors state it, or its bound, and what
  /// the simulation's interruptions leave of it.
  std::optional<double> goodput{};
  double simulated_goodput = 1;
};

/// Steps take factor x simulated^weight x at_peak^(1 - weight): the simulated utilisation, drawn
/// towards the usual one, because plans and software of others' runs are not known. A whole run
/// takes e^excess of them.
struct UsualHours {
  double weight = 0;  ///< 0: one utilisation for all; 1: the simulation, longer by a factor
  double factor = 1;
  double spread = 1;  ///< nine of ten runs' steps were within this factor, or 1 / it
  double excess = 0;  ///< mean logarithm of a run's time over that of its steps and interruptions

  double of(const RunHours&) const;
};

/// Learnt from the runs of all families but one.
///
/// The excess is the mean of ln(simulated goodput / stated goodput), at least 0, over runs that
/// state both. Steps are the stated hours where these are steps alone, the goodput's share of them
/// where that is known, and else the hours without the mean excess. Their factor is the median over
/// runs, each family weighing as much as any other; the weight is the one of quarters whose
/// predictions of families that are left out in turn have the least mean absolute logarithm, the
/// spread the 90th percentile of those, as a further family would find it. `weight`, where it is
/// given, is not learnt.
UsualHours usual_hours(std::span<const RunHours>, std::string_view left_out);
UsualHours usual_hours(std::span<const RunHours>, std::string_view left_out, double weight);

/// The median of stated hours over those at the peak, of all families but one, which weigh the
/// same: what a user takes who simulates nothing.
double one_utilisation(std::span<const RunHours>, std::string_view left_out);

}  // namespace answers
}  // namespace tofn
