#pragma once

#include <string>

#include "sim/answers/predict_answer.hpp"

namespace tofn {
inline namespace report {

/// The terms of the only point, or a table of all.
std::string predict_text(const PredictionStudy&);
/// The same of the step alone.
std::string predict_steps_text(const PredictionStudy&);

/// What the figures rest on: calibration, plan, batch, settings, cluster and what was assumed.
std::string predict_notes(const PredictionStudy&);
/// The lines `power`, `price` and `interruptions`: what energy and cost of a point rest on.
std::string expense_notes(const PredictionStudy&, const RunPoint&);

/// `13.1 min`, or hours above 120 min.
std::string time_text(double seconds);
/// `12.4-14.0` in the unit that `time_text(scale)` uses.
std::string time_range_text(const Interval& seconds, double scale);

/// About four digits; no exponent but for the very small.
std::string short_figure(double value);

}  // namespace report
}  // namespace tofn
