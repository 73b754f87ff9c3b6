#pragma once

#include <string_view>
#include <vector>

#include "sim/curves/collective_table.hpp"
#include "sim/curves/cost_curve.hpp"
#include "sim/curves/samples.hpp"

namespace tofn {
inline namespace curves {

/// Error of one form at held-out rows: median and 90th percentile of |ln(predicted / measured)|.
struct HeldOutError {
  std::string_view form;
  double median = 0;
  double ninetieth = 0;
};

struct CurveFit {
  CostCurve curve;
  std::string_view form;                 ///< `interpolation`, `smooth`, `2 regimes`, ...
  std::vector<HeldOutError> candidates;  ///< empty if the table is too short to hold rows out
  std::vector<Remark> remarks;
};

/// The curve of a table: an interpolation of its rows, unless another form predicts held-out rows
/// much better. InputError without rows, or at a size or time that is not positive.
CurveFit fit_curve(const CollectiveTable& table);

}  // namespace curves
}  // namespace tofn
