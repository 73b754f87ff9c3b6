#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/config/load_plan.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/training/job.hpp"

namespace tofn {
inline namespace answers {

/// Tokens of a step where nobody says: what Llama 2, BLOOM and most models of 7 to 200 billion
/// parameters trained on took (assumed of others).
inline constexpr double usual_batch_tokens = 4e6;
/// Samples of a batch that is given in tokens: a power of two where one is within 7 %, for `16M` of
/// a batch is mostly 2^24; else the nearest whole number.
double batch_samples(double tokens, double sequence_length);

/// A job of a model on each of some numbers of accelerators.
struct JobRequest {
  const Model& model;
  const Cluster& cluster;
  const KernelProfile& profile;
  PlanFile plan;
  /// Whether a row of `visit_plan`, `micro_batch` or `gradient_accumulation` is stated, by name;
  /// the rest of the plan is chosen.
  std::function<bool(std::string_view name)> is_stated;
  std::vector<int> sizes;
  std::optional<double> samples;  ///< to train; absent: one step
  std::optional<double> batch;    ///< samples of a step; absent: the usual tokens
  JobEvaluation evaluation{};
  Seconds start_up = usual_start_up;
  ExpenseOptions expenses{};
  double grid_intensity = usual_grid_intensity;
};

/// One number of accelerators: an estimate, or why there is none.
struct JobPoint {
  int accelerators = 0;
  std::optional<JobEstimate> estimate;
  int plans_tried = 0;                 ///< 0: the plan was stated
  bool fits = true;                    ///< the memory of every stage
  std::optional<FittingPlan> way_out;  ///< where it does not
  std::string skipped_because;
};

struct JobAnswer {
  double batch = 0;
  bool is_usual_batch = false;
  bool is_one_step = false;
  std::vector<JobPoint> points;  ///< ascending accelerators
};

/// InputError where no size can be answered.
JobAnswer job_answer(const JobRequest&);

}  // namespace answers
}  // namespace tofn
