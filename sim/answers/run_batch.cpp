#include "sim/answers/run_batch.hpp"

#include <algorithm>
#include <cmath>

#include "sim/training/critical_batch.hpp"

namespace tofn {
inline namespace answers {
namespace {

double to_four_digits(double value) {
  const double unit = std::pow(10, std::floor(std::log10(value)) - 3);
  return std::round(value / unit) * unit;
}

/// Samples that a replica takes at a time, as far as the plan states them.
double stated_unit(const StatedPlan& plan) {
  return plan.micro_batch.value_or(1) * plan.gradient_accumulation.value_or(1);
}

}  // namespace

std::optional<Amount> critical_batch(const StatedRun& run) {
  if (run.critical_batch) return run.critical_batch;
  if (run.is_one_step || run.tokens() == 0) return {};
  return Amount{critical_batch_tokens(run.tokens()), Counted::Tokens};
}

std::optional<double> critical_samples(const StatedRun& run) {
  const auto critical = critical_batch(run);
  if (!critical) return {};
  return samples_of(*critical, {.sequence_length = run.phases.front().model.sequence_length});
}

double default_batch(const StatedRun& run) {
  constexpr double share = 0.1;
  const auto critical = run.is_one_step ? std::nullopt : critical_samples(run);
  if (!critical)
    return even_batches(
               batch_samples(default_batch_tokens, run.phases.front().model.sequence_length), 1)
        .back();
  return std::exp2(std::max(0.0, std::floor(std::log2(share * *critical))));
}

std::vector<double> even_batches(double batch, int accelerators) {
  constexpr double near = 0.07;
  const auto is_near = [&](double even) { return std::abs(even / batch - 1) <= near; };
  int part = accelerators;
  const auto nearest = [&] { return std::max(1.0, std::round(batch / part)) * part; };
  while (part % 2 == 0 && !is_near(nearest())) part /= 2;
  double halved = nearest();
  for (double unit = 2.0 * part; unit <= 2 * batch; unit *= 2)
    if (const double even = std::round(batch / unit) * unit; is_near(even)) halved = even;
  if (halved == nearest()) return {halved};
  return {nearest(), halved};
}

std::vector<double> batches_near(double target, const StatedPlan& plan, int accelerators) {
  const double unit = stated_unit(plan);
  const double units = target / unit;
  if (plan.micro_batch && plan.gradient_accumulation) {
    int replicas = accelerators;
    while (replicas % 2 == 0 && replicas > 1.5 * units) replicas /= 2;
    return {unit * replicas};
  }
  std::vector<double> batches = even_batches(units, accelerators);
  const double whole = std::max(1.0, std::round(units / accelerators)) * accelerators;
  if (whole < 2 * units && std::ranges::find(batches, whole) == batches.end())
    batches.push_back(whole);  // every accelerator may be a replica
  for (double& batch : batches) batch *= unit;
  return batches;
}

std::optional<double> split_batch(double target, const StatedPlan& plan, int accelerators) {
  if (plan.micro_batch || plan.gradient_accumulation) return {};
  double batch = accelerators;
  while (std::fmod(batch, 2) == 0) batch /= 2;
  while (batch < target) batch *= 2;
  if (batch >= 2 * target) return {};
  return batch;
}

StatedRun at_batch(StatedRun run, double batch) {
  run.phases.front().stretches.front().batch = batch;
  return run;
}

StatedRun to_same_loss(StatedRun run, double batch) {
  BatchStretch& all = run.phases.front().stretches.front();
  const auto critical = critical_samples(run);
  const double ratio = critical ? samples_ratio(batch, all.batch, *critical) : 1;
  if (ratio > 1) {
    const double length = run.phases.front().model.sequence_length;
    const double unit = length > 0 ? length : 1;
    all.samples = to_four_digits(all.samples * ratio * unit) / unit;
  }
  return at_batch(std::move(run), batch);
}

}  // namespace answers
}  // namespace tofn
