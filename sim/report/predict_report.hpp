#pragma once

#include <string>

#include "sim/answers/predict_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

/// The breakdown of the only point, or a table of all.
std::string predict_text(const PredictionStudy&);
std::string predict_breakdown_text(const PredictionStudy&, const PredictedPoint&);
std::string predict_table_text(const PredictionStudy&);
/// The number of accelerators of a row, with `!` where they do not hold its plan.
std::string accelerators_cell(const PredictionStudy&, const PredictedPoint&);
/// Before the time of one run whose plan does not fit.
std::string headline_mark(const PredictionStudy&, const PredictedPoint&);
/// A line below a table with such a mark.
std::string mark_text(const PredictionStudy&);

/// Both for workloads without a target: step time, throughput and efficiency.
std::string predict_steps_text(const PredictionStudy&);
/// The terms of a step with their intervals and bases.
std::string step_table_text(const RunPrediction&);
/// `global batch 4608 = 64 replicas x 1 accumulation step x 72 samples`
std::string batch_text(const Plan&);

/// What the figures rest on: calibration, plan, batch, settings, cluster and what was assumed.
std::string predict_notes(const PredictionStudy&);

/// Every term of every point.
Records predict_records(const PredictionStudy&);

/// `13.1 min`, or hours above 120 min.
std::string time_text(double seconds);
/// `12.4-14.0` in the unit that `time_text(scale)` uses.
std::string time_range_text(const Interval& seconds, double scale);
/// `2.560M` or `3179`.
std::string samples_text(double samples);

/// About four digits; no exponent but for the very small.
std::string short_figure(double value);

/// The lines `energy` and `cost` of one run.
std::string expense_text(const PredictedPoint&);
/// The lines `power`, `price` and `interruptions`: what the figures of a point rest on.
std::string expense_notes(const PredictionStudy&, const PredictedPoint&);

}  // namespace report
}  // namespace tofn
