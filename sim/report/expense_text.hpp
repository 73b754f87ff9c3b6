#pragma once

#include <string>
#include <vector>

#include "sim/core/statistics.hpp"
#include "sim/report/predict_report.hpp"

namespace tofn {

/// An amount with its 90 % interval.
struct Ranged {
  double value = 0;
  Interval interval;
};

/// Of a point with a target; both move with its time to train.
Ranged energy_kwh(const PredictedPoint&);
/// Needs a price.
Ranged cost_usd(const PredictedPoint&);
/// Energy over samples of the run, or of a step where there is no target.
Joules energy_per_sample(const PredictedPoint&);

/// About four digits; no exponent but for the very small.
std::string short_figure(double value);

/// The lines `energy` and `cost` of one run.
std::string expense_text(const PredictedPoint&);
/// The lines `power`, `price` and `interruptions`: what the figures of a point rest on.
std::string expense_notes(const PredictionStudy&, const PredictedPoint&);

}  // namespace tofn
