#pragma once

#include <span>
#include <vector>

#include "sim/curves/cost_curve.hpp"
#include "sim/curves/forms.hpp"

namespace tofn {
inline namespace curves {

/// Error of a form at each row when it is fitted to the others: |ln(predicted / measured)|. Empty
/// below three rows. The gaps are twice as wide as when the form is used.
std::vector<double> held_out_errors(const CurveForm& form, std::span<const Sample> samples);

/// Half widths, in natural logarithms, of the interval around a form at every point of a curve.
std::vector<double> interval_widths(const CurveForm& form, const Samples& samples);

}  // namespace curves
}  // namespace tofn
