#include "sim/calibration/choose_run.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "sim/calibration/run_candidates.hpp"
#include "sim/core/error.hpp"
#include "sim/core/words.hpp"

namespace tofn {
inline namespace calibration {
namespace {

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

RunDescription run_at_given_batch(const OpenRequest& request, int accelerators, double largest) {
  const double batch = *request.global_batch;
  RunDescription run = run_at(request, accelerators, batch, largest);
  if (!is_whole(run.plan.micro_batch))
    refuse_batch(batch, run.plan.data_parallel_size, run.plan.gradient_accumulation);
  return run;
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

/// The run that is expected to end first; of equal ones, the first.
const RunDescription& soonest(const std::vector<RunDescription>& runs,
                              const Calibration& calibration) {
  const RunDescription* best = nullptr;
  double least = std::numeric_limits<double>::infinity();
  for (const RunDescription& run : runs) {
    const double seconds = runs.size() > 1 ? expected_seconds(benchmark_run(run, calibration)) : 0;
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
  if (request.workload->simulated) return choose_simulated_run(request, accelerators, calibration);
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
