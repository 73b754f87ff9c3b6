#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sim/answers/scale_subject.hpp"
#include "sim/core/error.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// What a job is made of; copied into the functions of its subject.
struct Job {
  Model model;
  Cluster cluster;
  KernelProfile profile;
  PlanFile plan;
};

/// Interleaved stages take their micro-batches in groups of as many as there are stages.
double passes_of(const Job& job) {
  return job.plan.gradient_accumulation.value_or(job.plan.split.pipeline_parallel_size);
}

bool fits_with(const Job& job, Plan plan, double micro_batch) {
  plan.micro_batch = micro_batch;
  const auto layers = layer_work(job.model, plan);
  return fits(largest_footprint(layers, plan, memory_profile(job.model, plan, job.cluster)),
              job.cluster.accelerator);
}

/// The largest whole micro-batch that fits, by doubling and bisection; 0: not even one sample.
double largest_pass(const Job& job, int accelerators) {
  constexpr double most = 1 << 20;
  PlanFile alone = job.plan;
  alone.micro_batch = 1;
  const double replicas = 1.0 * accelerators / job.plan.split.model_parallel_size();
  const Plan plan = plan_on(alone, accelerators, replicas * passes_of(job));
  double low = 0;
  double high = 1;
  for (; high < most && fits_with(job, plan, high); high *= 2) low = high;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (fits_with(job, plan, middle) ? low : high) = middle;
  }
  return low;
}

/// The fewest accumulation steps whose passes are whole samples, at most `largest`.
int fewest_passes(double samples, double largest) {
  const auto whole = static_cast<int>(samples);
  for (int passes = 1; passes <= whole; ++passes)
    if (whole % passes == 0 && samples / passes <= largest) return passes;
  return whole;
}

/// The plan at a batch; where it states neither accumulation nor micro-batch, with the fewest
/// passes that memory allows. InputError where samples do not split evenly or memory is too small.
Plan plan_that_fits(const Job& job, int accelerators, double batch) {
  PlanFile file = job.plan;
  Plan plan = plan_on(file, accelerators, batch);
  const double largest = largest_pass(job, accelerators);
  if (largest == 0)
    throw InputError(fmt::format("not one sample a pass fits {:.0f} GB",
                                 job.cluster.accelerator.memory.value.base() / 1e9));
  if (plan.micro_batch != std::floor(plan.micro_batch))
    throw InputError(
        fmt::format("batch {:g} does not split evenly over {} replicas x {} "
                    "accumulation steps",
                    batch, plan.data_parallel_size, plan.gradient_accumulation));
  if (plan.micro_batch <= largest) return plan;
  if (file.micro_batch || file.gradient_accumulation)
    throw InputError(
        fmt::format("{:g} samples a pass do not fit, {:g} do", plan.micro_batch, largest));
  file.gradient_accumulation = fewest_passes(plan.micro_batch, largest);
  return plan_on(file, accelerators, batch);
}

ScaledPoint simulated_point(const Job& job, int accelerators, double batch) {
  const Plan plan = plan_that_fits(job, accelerators, batch);
  return scaled_point(simulate_step(job.model, plan, job.cluster, job.profile));
}

std::optional<StepTimes> step_at(const Job& job, int accelerators, double batch) {
  try {
    const Plan plan = plan_on(job.plan, accelerators, batch);
    return closed_form(step_work(job.model, plan, job.cluster, job.profile));
  } catch (const InputError&) {
    return {};  // sizes that the job does not split over are passed by
  }
}

}  // namespace

ScaleSubject simulated_subject(const Model& model, const Cluster& cluster,
                               const KernelProfile& profile, const PlanFile& plan) {
  const Job job{model, cluster, profile, plan};
  ScaleSubject subject;
  subject.name = model.name;
  subject.machine = fmt::format("{} ({})", cluster.accelerator.name, cluster.name);
  subject.accelerator = cluster.accelerator.name;
  subject.notes = fmt::format(
      "simulated from dimensions with the kernels of {}; formulas: `tofn step` has every part\n",
      profile.name);
  subject.model_parallel = plan.split.model_parallel_size();
  subject.stride = std::lcm(cluster.accelerators_per_node.value, plan.split.model_parallel_size());
  subject.strong = [job](int accelerators, double batch) {
    return simulated_point(job, accelerators, batch);
  };
  subject.weak = [job](int accelerators, double samples) {
    const double replicas = 1.0 * accelerators / job.plan.split.model_parallel_size();
    return simulated_point(job, accelerators, samples * replicas);
  };
  subject.step = [job](int accelerators, double batch) {
    return step_at(job, accelerators, batch);
  };
  subject.largest_pass = [job](int accelerators) { return largest_pass(job, accelerators); };
  return subject;
}

}  // namespace answers
}  // namespace tofn
