#pragma once

#include "sim/answers/job_answer.hpp"
#include "sim/answers/predict_answer.hpp"
#include "sim/core/records.hpp"

namespace tofn {
inline namespace report {

/// One row a size, of models and workloads alike: the request, the plan, and each figure with both
/// ends of its 90 % interval and its basis.
Records run_records(const JobRequest&, const JobAnswer&);
Records run_records(const PredictionStudy&);
/// One row for each phase of each size, with the same columns.
Records phase_records(const JobRequest&, const JobAnswer&);

}  // namespace report
}  // namespace tofn
