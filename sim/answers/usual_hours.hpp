#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tofn {
inline namespace answers {

/// Hours that a training run took, beside what a simulated run takes and what its arithmetic would
/// take at the peak.
struct RunHours {
  std::string family;  ///< of models: runs that tell of one another
  double stated = 0;
  double simulated = 0;
  double at_peak = 0;  ///< 6 FLOPs a parameter and token over the peak
};

/// hours = factor x simulated^weight x at_peak^(1 - weight): the simulated utilisation, drawn
/// towards the usual one, because plans, software and idle hours of others' runs are not known.
struct UsualHours {
  double weight = 0;  ///< 0: one utilisation for all; 1: the simulation, longer by a factor
  double factor = 1;
  double spread = 1;  ///< nine of ten runs were within this factor, or 1 / it

  double of(const RunHours&) const;
};

/// Learnt from the runs of all families but one. The factor is the median over runs, each family
/// weighing as much as any other; the weight is the one of quarters whose predictions of families
/// that are left out in turn have the least mean absolute logarithm, the spread the 90th
/// percentile of those, as a further family would find it. `weight`, where it is given, is not
/// learnt.
UsualHours usual_hours(std::span<const RunHours>, std::string_view left_out);
UsualHours usual_hours(std::span<const RunHours>, std::string_view left_out, double weight);

}  // namespace answers
}  // namespace tofn
