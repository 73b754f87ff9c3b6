#include "sim/training/job.hpp"

#include <algorithm>

#include "sim/model/layer_work.hpp"
#include "sim/simulation/step_activity.hpp"

namespace tofn {
inline namespace training {
namespace {

constexpr double hour = 3600;

/// Of one sample over all ranks that share it, what backward computes again included.
struct SampleWork {
  Flops model;
  Flops hardware;
  Flops forward;
  double parameter_flops = 0;  ///< of a token
};

Flops flops_of(const PassWork& pass) {
  Flops sum;
  for (const Kernel& kernel : pass.kernels) sum += kernel.flops();
  return sum;
}

SampleWork work_of(const SimulatedStep& step) {
  const Plan& plan = step.plan;
  const double ranks = 1.0 * plan.tensor_parallel_size * plan.context_parallel_size;
  const double share = ranks / plan.micro_batch;
  SampleWork work{.model = model_flops(step.model),
                  .hardware = {},
                  .forward = {},
                  .parameter_flops = parameter_flops(step.model)};
  for (const LayerWork& layer : layer_work(step.model, plan)) {
    const Flops forward = share * layer.count * flops_of(layer.forward);
    work.forward += forward;
    work.hardware +=
        forward + share * layer.count * (flops_of(layer.backward) + flops_of(layer.recompute));
  }
  return work;
}

/// Sums over phases, with steps `factor` times as long.
struct Totals {
  JobFigures figures;
  Activity activity;
  Flops six_n, model, hardware, peak;  ///< `peak`: what the accelerators could have done
};

Totals totals_of(const Job& job, const std::vector<SampleWork>& works,
                 double (*end)(const SimulatedStep&)) {
  Totals sum;
  JobFigures& f = sum.figures;
  for (std::size_t i = 0; i < job.phases.size(); ++i) {
    const auto& [step, samples] = job.phases[i];
    const double seconds = end(step);
    const double steps = samples / step.plan.global_batch();
    const double tokens = samples * step.model.sequence_length;
    const Seconds time{steps * seconds};
    f.steps += steps;
    f.samples += samples;
    f.tokens += tokens;
    f.training_seconds += time.base();
    f.accelerator_hours += step.plan.accelerators() * time.base() / hour;
    sum.activity = sum.activity + (time / step.times.total) * activity_of(step.times);
    sum.six_n += Flops{works[i].parameter_flops * tokens};
    sum.model += samples * works[i].model;
    sum.hardware += samples * works[i].hardware;
    sum.peak += step.peak() * time * step.plan.accelerators();
    f.memory_gigabytes =
        std::max(f.memory_gigabytes, step.memory[step.tightest()].total().base() / 1e9);
    if (job.evaluation.every > 0)
      f.evaluation_seconds += samples / job.evaluation.every * job.evaluation.samples *
                              (works[i].forward / works[i].hardware) * seconds /
                              step.plan.global_batch();
  }
  return sum;
}

}  // namespace

JobEstimate estimate(const Job& job) {
  std::vector<SampleWork> works;
  for (const JobPhase& phase : job.phases) works.push_back(work_of(phase.step));
  const auto figures_at = [&](double (*end)(const SimulatedStep&), Expense& expense) {
    Totals totals = totals_of(job, works, end);
    JobFigures& f = totals.figures;
    // What a job waits for before and beside its steps draws what the steps draw.
    const Seconds training{f.training_seconds};
    const double mean_accelerators = f.accelerator_hours * hour / f.training_seconds;
    f.start_up_seconds = job.start_up.base();
    const double undisturbed = f.training_seconds + f.evaluation_seconds + f.start_up_seconds;
    const Activity activity = (Seconds{undisturbed} / training) * totals.activity;
    const SimulatedStep& last = job.phases.back().step;
    expense = expense_of(last.cluster, last.plan.accelerators(), activity, last.times.cost().basis,
                         job.expenses);
    f.seconds = expense.run.expected.base();
    f.lost_seconds = f.seconds - undisturbed;
    f.step_seconds = f.training_seconds / f.steps;
    f.samples_per_second = f.samples / f.training_seconds;
    f.tokens_per_second = f.tokens / f.training_seconds;
    f.tokens_per_second_each = f.tokens_per_second / mean_accelerators;
    f.mfu_6n = totals.six_n / totals.peak;
    f.mfu = totals.model / totals.peak;
    f.hfu = totals.hardware / totals.peak;
    f.days = f.seconds / (24 * hour);
    f.goodput = f.training_seconds / f.seconds;
    f.accelerator_hours = mean_accelerators * f.seconds / hour;
    f.kilowatt_hours =
        expense.energy.total().base() / 3.6e6 * mean_accelerators / last.plan.accelerators();
    f.co2_tonnes = f.kilowatt_hours * job.grid_intensity / 1e6;
    f.usd = expense.price ? f.accelerator_hours * expense.price->usd_per_hour : 0;
    return f;
  };
  JobEstimate result{.job = job, .expense = {}, .expected = {}, .faster = {}, .slower = {}};
  Expense other;
  result.faster = figures_at([](const SimulatedStep& s) { return s.seconds.low; }, other);
  result.slower = figures_at([](const SimulatedStep& s) { return s.seconds.high; }, other);
  result.expected =
      figures_at([](const SimulatedStep& s) { return s.times.total.base(); }, result.expense);
  return result;
}

Interval JobEstimate::interval(const JobFigure& figure) const {
  const double one = faster.*figure.value;
  const double other = slower.*figure.value;
  return {std::min(one, other), std::max(one, other)};
}

}  // namespace training
}  // namespace tofn
