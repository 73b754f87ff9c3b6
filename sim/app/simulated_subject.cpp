#include "sim/app/simulated_subject.hpp"

#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
namespace {

/// What a job is made of; copied into the functions of its subject.
struct Job {
  Model model;
  Cluster cluster;
  KernelProfile profile;
  PlanFile plan;

  double replicas(int accelerators) const {
    return 1.0 * accelerators / plan.split.model_parallel_size();
  }
  /// A pipeline needs its micro-batches; else the samples of a replica are one pass.
  Plan split(int accelerators, double batch) const { return plan_on(plan, accelerators, batch); }
};

/// Only whole samples: a job cannot run on others.
void require_whole_samples(const Plan& plan) {
  if (plan.micro_batch == std::floor(plan.micro_batch)) return;
  throw InputError(
      fmt::format("batch {} does not split evenly over {} replicas x {} accumulation "
                  "steps",
                  plan.global_batch(), plan.data_parallel_size, plan.gradient_accumulation));
}

ScaledPoint simulated_point(const Job& job, int accelerators, double batch) {
  const Plan plan = job.split(accelerators, batch);
  require_whole_samples(plan);
  return scaled_point(simulate_step(job.model, plan, job.cluster, job.profile));
}

std::optional<StepAccount> step_at(const Job& job, int accelerators, double batch) {
  try {
    const Plan plan = job.split(accelerators, batch);
    return account_of(closed_form(step_work(job.model, plan, job.cluster, job.profile)));
  } catch (const InputError&) {
    return {};  // sizes that the job does not split over are passed by
  }
}

bool fits_with(const Job& job, Plan plan, double micro_batch) {
  plan.micro_batch = micro_batch;
  const auto layers = layer_work(job.model, plan);
  return fits(largest_footprint(layers, plan, memory_profile(job.model, job.cluster)),
              job.cluster.accelerator);
}

/// The largest whole micro-batch that fits, by doubling and bisection; 0: not even one sample.
std::optional<double> largest_pass(const Job& job, int accelerators) {
  constexpr double most = 1 << 20;
  PlanFile alone = job.plan;
  alone.micro_batch = 1;
  const double passes = alone.gradient_accumulation.value_or(1);
  const Plan plan = plan_on(alone, accelerators, job.replicas(accelerators) * passes);
  double low = 0;
  double high = 1;
  for (; high < most && fits_with(job, plan, high); high *= 2) low = high;
  while (high - low > 1) {
    const double middle = std::floor((low + high) / 2);
    (fits_with(job, plan, middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

ScaleSubject simulated_subject(const Model& model, const Cluster& cluster,
                               const KernelProfile& profile, const PlanFile& plan) {
  const Job job{model, cluster, profile, plan};
  ScaleSubject subject;
  subject.name = model.name;
  subject.machine = fmt::format("{} ({})", cluster.accelerator.name, cluster.name);
  subject.notes = fmt::format(
      "simulated from dimensions with the kernels of {}; formulas: `tofn step` has every part\n",
      profile.name);
  subject.model_parallel = plan.split.model_parallel_size();
  subject.node = cluster.accelerators_per_node.value;
  subject.domain = cluster.scale_up.domain_accelerators.value;
  subject.stride = std::lcm(subject.node, plan.split.model_parallel_size());
  subject.strong = [job](int accelerators, double batch) {
    return simulated_point(job, accelerators, batch);
  };
  subject.weak = [job](int accelerators, double samples) {
    return simulated_point(job, accelerators, samples * job.replicas(accelerators));
  };
  subject.step = [job](int accelerators, double batch) {
    return step_at(job, accelerators, batch);
  };
  subject.largest_pass = [job](int accelerators) { return largest_pass(job, accelerators); };
  return subject;
}

}  // namespace tofn
