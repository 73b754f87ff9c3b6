#pragma once

#include <string>

#include "sim/answers/predict_answer.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace report {

/// Text of the only point, or a table of all points; details: parts, figures and their basis.
AnswerText predict_text(const PredictionStudy&);

/// Line `plan`.
std::string plan_line(const PredictionStudy&);
/// Line `memory` for weights that exceed the memory; measured runs have no model of their memory.
std::string weights_text(const PredictionStudy&, const RunPoint&);
/// Lines `assumed`: values used in place of requested ones.
std::string assumed_lines(const PredictionStudy&);
/// Notes on the inputs of the figures: calibration, plan, batch, settings, cluster and assumptions.
std::string predict_notes(const PredictionStudy&);
/// Lines `power`, `price` and `interruptions`: the inputs of a point's energy and cost.
std::string expense_notes(const PredictionStudy&, const RunPoint&);

}  // namespace report
}  // namespace tofn
