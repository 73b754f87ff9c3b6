#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/answers/sensitivity_answer.hpp"
#include "sim/core/parallel.hpp"
#include "sim/evidence/known_steps.hpp"
#include "sim/training/stated_run.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

// The measurement that is named first, on measured jobs whose model no fit has seen: how wide it
// leaves the interval, beside measurements that take about as much, and whether the interval that a
// measured smaller step leaves holds the larger one.
using namespace tofn;
using namespace tofn::test;

namespace {

/// The largest step of each stack, model and chip that runs on several nodes, and one measured
/// under the same plan on fewer accelerators, if there is one.
struct HeldOutJob {
  const KnownStep* step = nullptr;
  const KnownStep* smaller = nullptr;
};

int accelerators_of(const KnownStep& known) { return known.fitted.step.plan.accelerators(); }

std::map<std::string, std::vector<HeldOutJob>> jobs_by_widths(const KnownSteps& steps) {
  std::map<std::string, std::vector<const KnownStep*>> alike;
  for (const KnownStep& each : steps.all())
    if (each.scored)
      alike[widths_of(each.row) + "|" + each.row.stack + "|" + each.row.accelerator + "|" +
            plan_key(each.fitted.step)]
          .push_back(&each);
  std::map<std::string, std::vector<HeldOutJob>> jobs;
  for (auto& [name, members] : alike) {
    std::stable_sort(members.begin(), members.end(), [](const auto* a, const auto* b) {
      return accelerators_of(*a) > accelerators_of(*b);
    });
    HeldOutJob job{.step = members.front()};
    const StepCase& step = job.step->fitted.step;
    if (accelerators_of(*job.step) < 2 * step.cluster.accelerators_per_node.value ||
        step.plan.data_parallel_size < 2)
      continue;
    for (const KnownStep* other : members)
      if (accelerators_of(*other) < accelerators_of(*job.step)) job.smaller = other;
    jobs[widths_of(job.step->row)].push_back(job);
  }
  return jobs;
}

struct Found {
  std::vector<double> ratios;    ///< width after the first over the mean after others of like cost
  std::vector<double> narrowed;  ///< width after the first over that before
  int measured = 0, inside = 0;
};

/// Adds the widths after the measurements that a job's answer names.
void add_widths(const HeldOutJob& job, const KernelProfile& stack, Found& found) {
  const StepCase& step = job.step->fitted.step;
  const Run whole{
      .stretches = {stretch_of({}, simulate_step(step.model, step.plan, step.cluster, stack),
                               1e6 * step.plan.global_batch(), 0, stack)},
      .expenses = {.time_to_failure = Seconds(1e30)}};
  const TimeUncertainties uncertain = uncertainties_of(estimate(whole), stack);
  const Measurement& first = uncertain.next.front();
  double sum = 0;
  int others = 0;
  for (const Measurement& each : uncertain.next) {
    const double cost = each.accelerator_hours / first.accelerator_hours;
    if (&each == &first || cost < 0.5 || cost > 2) continue;
    sum += half_width(each.deviation);
    ++others;
  }
  found.narrowed.push_back(half_width(first.deviation) / half_width(uncertain.deviation));
  if (others > 0) found.ratios.push_back(half_width(first.deviation) * others / sum);
}

/// Adds whether the interval after the smaller measured step holds the larger one.
void add_outcome(const HeldOutJob& job, const KernelProfile& stack, Found& found) {
  // Rows that state less than all settings are known to err by more.
  if (job.smaller == nullptr || job.step->fitted.noise != 1 || job.smaller->fitted.noise != 1)
    return;
  const StepCase& step = job.step->fitted.step;
  const KernelProfile known = sharpened(stack, job.smaller->fitted.step, Shared::ModelAndPlan);
  const auto seconds = [&](const KernelProfile& by) { return closed_step(step, by).base(); };
  const Accelerator& chip = step.cluster.accelerator;
  const double deviation = stack_deviation(stack_response(known, seconds, chip.architecture),
                                           uncertainty_on(known, chip, step.model));
  const double error = std::log(step.measured->base() / seconds(known));
  ++found.measured;
  found.inside += std::abs(error) <= ninety_percent_deviations * deviation;
}

double mean_of(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

}  // namespace

TEST_CASE("the measurement named first narrows the range more than another of like cost") {
  KnownSteps steps(configs);
  std::vector<ScoredStep> scored;
  for (const auto& table : tables_of_steps(configs)) steps.read(table, &scored);
  steps.prepare();
  const auto jobs = jobs_by_widths(steps);
  std::vector<std::string> names;
  for (const auto& [widths, members] : jobs) names.push_back(widths);
  Found found;
  std::mutex mutex;
  in_parallel(names.size(), [&](std::size_t i) {
    const StackFit others =
        steps.fit([&](const KnownStep& step) { return widths_of(step.row) != names[i]; });
    for (const HeldOutJob& job : jobs.at(names[i])) {
      const KernelProfile stack = others.learned(steps.profile_of(*job.step));
      const std::lock_guard lock(mutex);
      add_widths(job, stack, found);
      add_outcome(job, stack, found);
    }
  });
  CAPTURE(found.ratios.size(), mean_of(found.ratios), mean_of(found.narrowed), found.measured,
          found.inside);
  CHECK(found.ratios.size() >= 40);
  CHECK(mean_of(found.ratios) <= 0.7);
  CHECK(mean_of(found.narrowed) <= 0.7);
  // Intervals of 90 % hold at least 4 of 5.
  CHECK(found.inside >= 0.8 * found.measured);
  CHECK(found.measured >= 10);
  WARN(
      fmt::format("{} jobs: after the first measurement {:.2f} of the width after others of like "
                  "cost, {:.2f} of that before; {} of {} larger steps inside",
                  found.ratios.size(), mean_of(found.ratios), mean_of(found.narrowed), found.inside,
                  found.measured));
}
