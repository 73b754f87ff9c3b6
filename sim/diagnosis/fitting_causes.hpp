#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/diagnosis/slow_step_causes.hpp"

namespace tofn {
inline namespace diagnosis {

/// A cause that could explain the step's length.
struct FittingCause {
  const SlowStepCause* cause = nullptr;  ///< nullptr: no cause, the prediction is off by as much
  double factor = 1;                     ///< on the step, at the best-fitting severity
  std::string amount{};                  ///< that severity as text; empty if it has none
  double probability = 0;
};

/// Shares of the expected bandwidth that measured collectives reach over each kind of links; absent
/// where none were measured.
struct MeasuredShares {
  std::optional<double> network{}, scale_up{};

  bool any() const { return network || scale_up; }
  std::optional<double> of(MeasuredLinks links) const {
    if (links == MeasuredLinks::None) return {};
    return links == MeasuredLinks::Network ? network : scale_up;
  }
};

/// Excess of a measured step over its prediction.
struct ExcessOfStep {
  double factor = 1;        ///< measured over predicted
  double deviation = 0.1;   ///< of the logarithm of the prediction
  bool came_later = false;  ///< most of it began later than the job, unlike that of flags
  MeasuredShares links{};
};

/// Returns the causes that explain the excess, likeliest first, without those below 2 %. `stated`:
/// plan rows that are known to be as predicted.
std::vector<FittingCause> fitting_causes(const SuspectJob&, const ExcessOfStep&,
                                         const std::vector<std::string>& stated);

}  // namespace diagnosis
}  // namespace tofn
