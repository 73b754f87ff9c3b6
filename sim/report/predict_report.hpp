#pragma once

#include <string>

#include "sim/answers/predict_answer.hpp"
#include "sim/report/answer_text.hpp"

namespace tofn {
inline namespace report {

/// The only point, or a table of all; details: parts, figures and what they rest on.
AnswerText predict_text(const PredictionStudy&);
/// The same of the step alone.
AnswerText predict_steps_text(const PredictionStudy&);

/// The line `plan`.
std::string plan_line(const PredictionStudy&);
/// The line `memory` of weights that the memory cannot hold: of measured runs it is not modelled.
std::string weights_text(const PredictionStudy&, const RunPoint&);
/// The lines `assumed`: what was put in the place of a request.
std::string assumed_lines(const PredictionStudy&);
/// What the figures rest on: calibration, plan, batch, settings, cluster and what was assumed.
std::string predict_notes(const PredictionStudy&);
/// The lines `power`, `price` and `interruptions`: what energy and cost of a point rest on.
std::string expense_notes(const PredictionStudy&, const RunPoint&);

}  // namespace report
}  // namespace tofn
