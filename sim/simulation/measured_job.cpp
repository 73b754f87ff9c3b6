#include "sim/simulation/measured_job.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace simulation {

std::string job_key(const Model& model, const Plan& plan, const Cluster& cluster) {
  return fmt::format("{}|{}|{}|{}|{}|{}", model.name, model.sequence_length,
                     model_flops(model).base(), cluster.name,
                     to_text(requested_precision(model, plan)),
                     plan_words(without_idle_options(plan)));
}

void take_measured(SimulatedStep& step, const KernelProfile& profile) {
  if (profile.measured_jobs.empty()) return;
  for (const MeasuredJob& each : profile.measured_jobs) add_new(step.substitutions, each.notes);
  const bool is_alike = !step.heterogeneous.mixed && !step.heterogeneous.slow.is_slower();
  const std::string key = job_key(step.model, step.plan, step.cluster);
  const auto seen = std::ranges::find_if(
      profile.measured_jobs, [&](const MeasuredJob& each) { return is_alike && each.key == key; });
  if (seen == profile.measured_jobs.end()) return;
  add_new(step.substitutions, {"this is the job that was measured: the step is the measurement, "
                               "the parts are shares of it"});
  step.times = scaled(step.times, seen->factor);
  step.responses = StepResponses::of_measured(seen->deviation);
}

MeasuredJob measured_job(const StepCase& seen, const KernelProfile& known,
                         const Discrepancy& unexplained) {
  KernelProfile figures = known;
  figures.measured_jobs.clear();
  const SimulatedStep now = simulate_step(seen.model, seen.plan, seen.cluster, figures);
  const double own = std::hypot(unexplained.run, unexplained.plan);
  const double weight = 1 / (1 + std::pow(seen.measured_error / own, 2));
  return {.key = job_key(now.model, now.plan, now.cluster),
          .factor = std::pow(*seen.measured / now.times.total, weight),
          .deviation = std::hypot(unexplained.run, seen.measured_error)};
}

std::vector<MeasuredJob> measured_jobs(std::span<const StepCase> steps,
                                       const KernelProfile& known) {
  struct Seen {
    StepCase step;
    double precision = 0;
    double weighted = 0;  ///< sum of logarithms of measured times, weighted by precision
  };
  const auto unexplained = [&](const StepCase& step) {
    return uncertainty_on(known, step.cluster.accelerator, step.model).discrepancy;
  };
  std::map<std::string, Seen> jobs;
  for (const StepCase& step : steps) {
    const double deviation = std::hypot(step.measured_error, unexplained(step).run);
    Seen& job = jobs[job_key(step.model, step.plan, step.cluster)];
    if (job.precision == 0 || step.measured_error < job.step.measured_error) job.step = step;
    job.precision += std::pow(deviation, -2);
    job.weighted += std::pow(deviation, -2) * std::log(step.measured->base());
  }
  std::vector<MeasuredJob> found;
  for (auto& [key, job] : jobs) {
    job.step.measured = Seconds{std::exp(job.weighted / job.precision)};
    found.push_back(measured_job(job.step, known, unexplained(job.step)));
  }
  return found;
}

void know_job(KernelProfile& profile, MeasuredJob job) {
  std::erase_if(profile.measured_jobs,
                [&](const MeasuredJob& each) { return each.key == job.key; });
  profile.measured_jobs.push_back(std::move(job));
}

}  // namespace simulation
}  // namespace tofn
