#pragma once

#include "sim/answers/predict_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

/// One row a size, of models and workloads alike: the request, the plan, and each figure with both
/// ends of its 90 % interval and its basis.
Records run_records(const PredictAnswer&);
/// One row for each phase of each size of a model's run, with the same columns.
Records phase_records(const PredictAnswer&);

}  // namespace report
}  // namespace tofn
