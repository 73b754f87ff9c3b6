#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "sim/calibration/choose_run.hpp"
#include "sim/calibration/run_candidates.hpp"
#include "sim/core/words.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace calibration {
namespace {

/// The plan with another tensor-parallel size. Experts of several ranks then need sequence
/// parallelism, lest every rank send every token.
Plan split_by(Plan plan, int tensor_parallel_size) {
  plan.tensor_parallel_size = tensor_parallel_size;
  if (tensor_parallel_size > 1 && plan.expert_parallel_size > 1) plan.sequence_parallel = true;
  return plan;
}

/// The requested plan, else the workload's own, with the requested sizes.
Plan requested_plan(const OpenDescription& request) {
  Plan plan = request.plan.value_or(request.workload->simulated->plan);
  if (request.tensor_parallel_size) plan = split_by(plan, *request.tensor_parallel_size);
  plan.context_parallel_size = request.context_parallel_size.value_or(plan.context_parallel_size);
  return plan;
}

int replicas_of(const Plan& plan, int accelerators) {
  return std::max(1, accelerators / plan.model_parallel_size());
}

/// Returns the requested plan, and those of more tensor-parallel ranks that may be tried: all, or
/// none if the request states how samples are split.
std::vector<Plan> plans_of(const OpenDescription& request, int accelerators) {
  const bool is_free = !request.plan && !request.tensor_parallel_size && !request.replica_batch;
  const int domain = request.cluster->scale_up.domain_accelerators.value;
  constexpr int most = 4;  // times the plan's own size, as the largest published runs of FLUX.1
  const Plan own = requested_plan(request);
  std::vector<Plan> plans{own};
  for (int times = 2; times <= (is_free ? most : 1); times *= 2) {
    const Plan plan = split_by(own, times * own.tensor_parallel_size);
    if (accelerators % plan.model_parallel_size() != 0 || plan.tensor_parallel_size > domain) break;
    plans.push_back(plan);
  }
  return plans;
}

/// Largest divisor of `samples` that is at most `largest`; at least 1.
double pass_of(double samples, double largest) {
  double pass = std::max(1.0, std::floor(std::min(samples, largest)));
  while (std::fmod(samples, pass) != 0) --pass;
  return pass;
}

class SimulatedChoice {
 public:
  SimulatedChoice(const OpenDescription& request, int accelerators, const Calibration& calibration)
      : request_(request),
        accelerators_(accelerators),
        calibration_(calibration),
        plans_(plans_of(request, accelerators)) {}

  RunDescription chosen() {
    require_whole_replicas();
    if (request_.global_batch || request_.replica_batch) {
      const int replicas = replicas_of(own(), accelerators_);
      const double batch =
          request_.global_batch.value_or(1.0 * request_.replica_batch.value_or(1) * replicas);
      try_batch(batch);
      if (!best_ && !mistake_)
        refuse_batch(batch, replicas, request_.gradient_accumulation.value_or(1));
    } else {
      try_known_batches();
    }
    if (best_) return *best_;
    throw *mistake_;
  }

 private:
  const Plan& own() const { return plans_.front(); }
  void require_whole_replicas() const;
  void try_known_batches();
  void try_batch(double batch);
  void try_run(Plan plan, double batch);
  bool try_passes(Plan& plan, double batch, double pass);
  RunDescription described(const Plan& plan) const {
    return {.workload = request_.workload,
            .cluster = request_.cluster,
            .plan = plan,
            .settings = request_.settings,
            .runs = request_.runs};
  }

  const OpenDescription& request_;
  int accelerators_;
  const Calibration& calibration_;
  std::vector<Plan> plans_;
  std::optional<RunDescription> best_;
  bool best_fits_ = false;
  double least_ = std::numeric_limits<double>::infinity();
  std::optional<InputError> mistake_;  ///< the first
};

void SimulatedChoice::require_whole_replicas() const {
  const bool is_stated =
      request_.plan || request_.tensor_parallel_size || request_.context_parallel_size;
  const int size = own().model_parallel_size();
  if (is_stated || accelerators_ % size == 0) return;
  throw InputError(fmt::format(
      "workload {} has a plan whose replicas have {} accelerators (tp*pp*cp = {}*{}*{}): take a "
      "multiple of {}, state another plan (--tp, --cp, --plan), or ask for its model {}",
      request_.workload->name, size, own().tensor_parallel_size, own().pipeline_parallel_size,
      own().context_parallel_size, size, request_.workload->model));
}

void SimulatedChoice::try_known_batches() {
  const std::vector<double> known = known_batches(calibration_, *request_.workload);
  if (known.empty()) throw no_known_batch(*request_.workload);
  constexpr double least_share = 0.25;  // of the plan's own pass, chosen here
  std::set<double> batches;
  for (const Plan& plan : plans_) {
    const int replicas = replicas_of(plan, accelerators_);
    // Chunks of a stage take micro-batches in groups of as many as there are stages.
    const double group = plan.chunks_per_stage > 1 ? plan.pipeline_parallel_size : 1;
    for (double pass = plan.micro_batch; pass >= std::max(1.0, least_share * plan.micro_batch);
         pass /= 2)
      for (const double each : known)
        for (const double batch : even_batches(each, group * replicas * std::floor(pass), known))
          batches.insert(batch);
    for (const double each : known) {
      const auto even = even_batches(each, replicas, known);
      batches.insert(even.empty() ? each : even.front());
    }
  }
  for (const double batch : batches) try_batch(batch);
  if (!best_ && !mistake_)
    mistake_ = InputError(fmt::format(
        "no batch from {} to {}, where convergence is known, splits over {}; choose one with "
        "--batch",
        known.front(), known.back(), counted(replicas_of(own(), accelerators_), "replica")));
}

/// Tries the batch on more tensor-parallel ranks until replicas have a whole pass.
void SimulatedChoice::try_batch(double batch) {
  for (const Plan& plan : plans_) {
    try_run(plan, batch);
    if (batch / replicas_of(plan, accelerators_) >= own().micro_batch) return;
  }
}

/// Tries the passes of the requested plan, or those that fit the memory.
void SimulatedChoice::try_run(Plan plan, double batch) {
  const double samples = batch / replicas_of(plan, accelerators_);
  if (!is_whole(samples)) return;
  try {
    if (request_.gradient_accumulation) {
      try_passes(plan, batch, samples / *request_.gradient_accumulation);
    } else if (request_.plan) {
      if (!is_whole(samples / plan.micro_batch))
        throw InputError(
            fmt::format("batch {} does not split evenly over {} replicas into passes of {} samples",
                        batch, replicas_of(plan, accelerators_), plan.micro_batch));
      try_passes(plan, batch, plan.micro_batch);
    } else {
      double pass = pass_of(samples, own().micro_batch);
      while (!try_passes(plan, batch, pass) && pass > 1) pass = pass_of(samples, pass - 1);
    }
  } catch (const InputError& error) {
    if (!mistake_) mistake_ = error;
  }
}

/// Keeps the run if none before it fits or trains sooner. Returns whether it fits.
bool SimulatedChoice::try_passes(Plan& plan, double batch, double pass) {
  const double samples = batch / replicas_of(plan, accelerators_);
  plan.gradient_accumulation =
      request_.gradient_accumulation.value_or(static_cast<int>(samples / pass));
  const RunDescription tried = described(make_plan(plan, accelerators_, batch));
  const Run run = benchmark_run(tried, calibration_);
  const SimulatedStep* step = run.stretches.front().step->simulated();
  const bool fits = step == nullptr || tofn::fits(*step);
  const double seconds = expected_seconds(run);
  if (!best_ || (fits && !best_fits_) || (fits == best_fits_ && seconds < least_)) {
    best_ = tried;
    best_fits_ = fits;
    least_ = seconds;
  }
  return fits;
}

}  // namespace

RunDescription choose_simulated_run(const OpenDescription& request, int accelerators,
                                    const Calibration& calibration) {
  return SimulatedChoice(request, accelerators, calibration).chosen();
}

}  // namespace calibration
}  // namespace tofn
