#include "sim/calibration/choose_run.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/words.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace calibration {
namespace {

/// Batches whose samples to target are known.
std::vector<double> known_batches(const Calibration& calibration, const Workload& workload) {
  const WorkloadCalibration* found = calibration.of(workload);
  std::vector<double> batches;
  for (const auto& point : found != nullptr ? found->convergence : workload.convergence)
    batches.push_back(point.batch);
  return batches;
}

/// Samples of the largest pass that calibrated the run's profile; unbounded without calibration.
double largest_pass(const OpenDescription& request, const Calibration& calibration) {
  const RunDescription probe{.workload = request.workload,
                             .cluster = request.cluster,
                             .plan = {},
                             .settings = request.settings,
                             .runs = request.runs};
  const double largest = parameters_of(probe, calibration).compute.largest_batch;
  return largest > 0 ? largest : std::numeric_limits<double>::infinity();
}

/// A request with a tensor parallel size, which `tensor` sets if the request leaves it open.
struct OpenRequest : OpenDescription {
  int tensor = 1;
};

/// Replicas and their split for one global batch.
struct Split {
  int tensor = 1;
  int context = 1;
  int replicas = 1;
};

Split split_for(const OpenRequest& request, int accelerators, double batch) {
  const bool is_free = !request.tensor_parallel_size && !request.context_parallel_size;
  Split split;
  split.tensor = request.tensor_parallel_size.value_or(request.tensor);
  split.context = request.context_parallel_size.value_or(1);
  // Divides by one size after the other, because the product of both may overflow an int.
  const auto replicas = [&] { return accelerators / split.tensor / split.context; };
  if (is_free && request.workload->context_parallel) {
    const int domain = request.cluster->scale_up.domain_accelerators.value;
    const auto fits = [&](int model) { return model <= domain && accelerators % model == 0; };
    while (replicas() > batch && fits(split.tensor * split.context * 2)) split.context *= 2;
  }
  split.replicas = std::max(1, replicas());
  return split;
}

bool is_whole(double value) { return value >= 1 && value == std::floor(value); }

/// The run at one batch, with chosen accumulation unless it was requested.
RunDescription run_at(const OpenRequest& request, int accelerators, double batch, double largest) {
  const Split split = split_for(request, accelerators, batch);
  const int accumulation =
      request.gradient_accumulation.value_or(accumulation_for(batch / split.replicas, largest));
  return {.workload = request.workload,
          .cluster = request.cluster,
          .plan = make_plan({.accelerators = accelerators,
                             .global_batch = batch,
                             .tensor_parallel_size = split.tensor,
                             .context_parallel_size = split.context,
                             .gradient_accumulation = accumulation}),
          .settings = request.settings,
          .runs = request.runs};
}

[[noreturn]] void refuse_batch(double batch, int replicas, int accumulation) {
  const double unit = 1.0 * replicas * accumulation;
  const double below = std::floor(batch / unit) * unit;
  throw InputError(fmt::format("batch {} does not split evenly over {} x {}; {} and {} do", batch,
                               counted(replicas, "replica"),
                               counted(accumulation, "accumulation step"), below, below + unit));
}

RunDescription run_at_given_batch(const OpenRequest& request, int accelerators, double largest) {
  const double batch = *request.global_batch;
  RunDescription run = run_at(request, accelerators, batch, largest);
  if (!is_whole(run.plan.micro_batch))
    refuse_batch(batch, run.plan.data_parallel_size, run.plan.gradient_accumulation);
  return run;
}

/// A known batch if `unit` divides it, else its neighbours that `unit` divides.
std::vector<double> even_batches(double batch, double unit, const std::vector<double>& known) {
  const double below = std::floor(batch / unit) * unit;
  if (below == batch) return {batch};
  std::vector<double> even;
  for (const double each : {below, below + unit})
    if (known.front() <= each && each <= known.back()) even.push_back(each);
  return even;
}

/// Runs at the known batches, only those with the fewest accumulation steps.
std::vector<RunDescription> candidates(const OpenRequest& request, int accelerators,
                                       const std::vector<double>& known, double largest) {
  std::vector<RunDescription> runs;
  int fewest = std::numeric_limits<int>::max();
  for (const double batch : known) {
    const double unit = split_for(request, accelerators, batch).replicas *
                        request.gradient_accumulation.value_or(1);
    for (const double each : even_batches(batch, unit, known)) {
      if (each < unit) continue;
      const RunDescription run = run_at(request, accelerators, each, largest);
      if (!is_whole(run.plan.micro_batch) || run.plan.micro_batch > largest) continue;
      fewest = std::min(fewest, run.plan.gradient_accumulation);
      runs.push_back(run);
    }
  }
  std::erase_if(runs, [&](const auto& run) { return run.plan.gradient_accumulation > fewest; });
  return runs;
}

[[noreturn]] void refuse(const OpenRequest& request, int accelerators,
                         const std::vector<double>& known, double largest) {
  const Split split = split_for(request, accelerators, known.back());
  const int accumulation = request.gradient_accumulation.value_or(1);
  // make_plan has a better message if the plan fits at no batch.
  make_plan({.accelerators = accelerators,
             .global_batch = static_cast<double>(split.replicas) * accumulation,
             .tensor_parallel_size = split.tensor,
             .context_parallel_size = split.context,
             .gradient_accumulation = accumulation});
  throw InputError(fmt::format(
      "no batch from {} to {}, where convergence is known, splits over {} x {} into passes of at "
      "most {} samples; choose one with --batch",
      known.front(), known.back(), counted(split.replicas, "replica"),
      counted(accumulation, "accumulation step"), largest));
}

/// Seconds of the run, or of one sample if the number of samples is unknown.
double expected_seconds(const RunDescription& run, const Calibration& calibration) {
  const Run chosen = benchmark_run(run, calibration);
  const double seconds = chosen.expected().total().time.base();
  return chosen.has_target() ? seconds : seconds / run.plan.global_batch();
}

/// The run that is expected to end first; of equal ones, the first.
const RunDescription& soonest(const std::vector<RunDescription>& runs,
                              const Calibration& calibration) {
  const RunDescription* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const RunDescription& run : runs) {
    const double seconds = runs.size() > 1 ? expected_seconds(run, calibration) : 0;
    if (seconds >= least) continue;
    least = seconds;
    best = &run;
  }
  return *best;
}

/// Tensor parallel sizes of one-domain runs on the accelerator, and 4, the size of larger published
/// runs.
std::vector<int> tensor_sizes(const OpenDescription& request, const Calibration& calibration) {
  if (request.tensor_parallel_size || !request.workload->tensor_parallel) return {1};
  std::vector<int> sizes{4};
  if (const auto* found = calibration.of(*request.workload))
    for (const AcceleratorFit& fit : found->accelerators)
      if (fit.accelerator.name == request.cluster->accelerator.name)
        for (const auto& observed : fit.steps.splits)
          sizes.push_back(observed.split.tensor_parallel_size);
  std::ranges::sort(sizes, std::greater<>());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

InputError no_known_batch(const Workload& workload) {
  return InputError(
      fmt::format("workload {} has no reference convergence points: choose the batch "
                  "with --batch, or with --replica-batch (samples per replica)",
                  workload.name));
}

/// The requested plan, else the workload's own, with the requested sizes.
Plan requested_plan(const OpenDescription& request) {
  Plan plan = request.plan.value_or(request.workload->simulated->plan);
  plan.tensor_parallel_size = request.tensor_parallel_size.value_or(plan.tensor_parallel_size);
  plan.context_parallel_size = request.context_parallel_size.value_or(plan.context_parallel_size);
  return plan;
}

int replicas_of(const Plan& plan, int accelerators) {
  return std::max(1, accelerators / plan.model_parallel_size());
}

/// The run of a plan that takes its accumulation from the batch. A requested plan keeps its
/// micro-batch; for the workload's own plan, `largest` bounds it.
RunDescription simulated_run_at(const OpenDescription& request, int accelerators, double batch,
                                double largest) {
  Plan plan = requested_plan(request);
  const int replicas = replicas_of(plan, accelerators);
  const double samples = batch / replicas;
  if (!is_whole(samples)) refuse_batch(batch, replicas, request.gradient_accumulation.value_or(1));
  if (!request.plan)
    plan.micro_batch = std::min(largest, samples / accumulation_for(samples, largest));
  const double passes = samples / plan.micro_batch;
  plan.gradient_accumulation =
      request.gradient_accumulation.value_or(static_cast<int>(std::max(1.0, std::floor(passes))));
  if (!request.gradient_accumulation && plan.gradient_accumulation != passes)
    throw InputError(
        fmt::format("batch {} does not split evenly over {} replicas into passes of {} samples",
                    batch, replicas, plan.micro_batch));
  return {.workload = request.workload,
          .cluster = request.cluster,
          .plan = make_plan(plan, accelerators, batch),
          .settings = request.settings,
          .runs = request.runs};
}

bool fits(const RunDescription& run, const Calibration& calibration) {
  const Run chosen = benchmark_run(run, calibration);
  const SimulatedStep* step = chosen.stretches.front().step->simulated();
  return step == nullptr || fits(*step);
}

/// The same; if it exceeds the memory, the workload's own plan takes smaller passes.
RunDescription simulated_run_at(const OpenDescription& request, int accelerators, double batch,
                                const Calibration& calibration) {
  const double own = requested_plan(request).micro_batch;
  const RunDescription first = simulated_run_at(request, accelerators, batch, own);
  if (request.plan || request.gradient_accumulation || fits(first, calibration)) return first;
  const double samples = batch / first.plan.data_parallel_size;
  for (double largest = std::floor(own / 2); largest >= 1; largest = std::floor(largest / 2)) {
    if (samples / accumulation_for(samples, largest) > largest) continue;
    RunDescription run = simulated_run_at(request, accelerators, batch, largest);
    if (fits(run, calibration)) return run;
  }
  return first;
}

/// The run at the known batch that is expected to train soonest.
RunDescription simulated_run(const OpenDescription& request, int accelerators,
                             const Calibration& calibration) {
  if (request.global_batch)
    return simulated_run_at(request, accelerators, *request.global_batch, calibration);
  if (request.replica_batch)
    return simulated_run_at(
        request, accelerators,
        *request.replica_batch * replicas_of(requested_plan(request), accelerators), calibration);
  std::vector<RunDescription> runs;
  std::optional<InputError> mistake;
  const double unit = replicas_of(requested_plan(request), accelerators);
  const std::vector<double> known = known_batches(calibration, *request.workload);
  for (const double each : known)
    for (const double batch : even_batches(each, unit, known)) try {
        runs.push_back(simulated_run_at(request, accelerators, batch, calibration));
      } catch (const InputError& error) {
        if (!mistake) mistake = error;
      }
  if (!runs.empty()) return soonest(runs, calibration);
  if (mistake) throw *mistake;
  throw no_known_batch(*request.workload);
}

RunDescription run_with(const OpenRequest& request, int accelerators,
                        const Calibration& calibration) {
  const double largest = largest_pass(request, calibration);
  if (request.replica_batch) {
    OpenRequest whole = request;
    constexpr double any = std::numeric_limits<double>::infinity();  // so that replicas share no
                                                                     // sample
    whole.global_batch =
        1.0 * *request.replica_batch * split_for(request, accelerators, any).replicas;
    return run_at_given_batch(whole, accelerators, largest);
  }
  if (request.global_batch) return run_at_given_batch(request, accelerators, largest);
  const auto batches = known_batches(calibration, *request.workload);
  if (batches.empty()) throw no_known_batch(*request.workload);
  const auto runs = candidates(request, accelerators, batches, largest);
  if (runs.empty()) refuse(request, accelerators, batches, largest);
  return soonest(runs, calibration);
}

}  // namespace

int accumulation_for(double samples_per_replica, double largest) {
  if (samples_per_replica <= largest || !is_whole(samples_per_replica)) return 1;
  int steps = static_cast<int>(std::ceil(samples_per_replica / largest));
  for (; samples_per_replica / steps * 2 >= largest; ++steps)
    if (is_whole(samples_per_replica / steps)) return steps;
  return 1;
}

RunDescription choose_run(const OpenDescription& request, int accelerators,
                          const Calibration& calibration) {
  if (request.workload->simulated) return simulated_run(request, accelerators, calibration);
  std::vector<RunDescription> runs;
  std::optional<InputError> mistake;
  for (const int tensor : tensor_sizes(request, calibration)) try {
      runs.push_back(run_with({request, tensor}, accelerators, calibration));
    } catch (const InputError& error) {
      if (!mistake) mistake = error;
    }
  if (runs.empty()) throw *mistake;
  // Keep the runs with the least context parallelism, whose cost is the least known.
  int least = std::numeric_limits<int>::max();
  for (const RunDescription& run : runs) least = std::min(least, run.plan.context_parallel_size);
  std::erase_if(runs, [&](const auto& run) { return run.plan.context_parallel_size > least; });
  return soonest(runs, calibration);
}

}  // namespace calibration
}  // namespace tofn
