#pragma once

#include "sim/answers/job_answer.hpp"
#include "sim/answers/predict_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

/// One row a size, of models and workloads alike: what was asked, the plan, and each figure with
/// both ends of its 90 % interval and what it rests on.
Records run_records(const JobRequest&, const JobAnswer&);
Records run_records(const PredictionStudy&);
std::vector<ColumnMeaning> run_columns();
/// The same, one row a phase of a size.
Records phase_records(const JobRequest&, const JobAnswer&);

}  // namespace report
}  // namespace tofn
