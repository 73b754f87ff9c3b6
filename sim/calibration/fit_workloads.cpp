#include "sim/calibration/fit_workloads.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/core/statistics.hpp"

namespace tofn {
namespace {

const std::string& accelerator_of(const Observation& seen) {
  return seen.run.cluster->accelerator.name;
}

AcceleratorFit fit_of(std::span<const Observation* const> seen, Learnt learnt,
                      const KnownTerms& known) {
  AcceleratorFit fit;
  const RunDescription& first = seen.front()->run;
  fit.accelerator = first.cluster->accelerator;
  fit.precision = first.settings.precision.value_or(first.workload->precision);
  for (const Observation* each : seen)
    if (!fit.graphs) fit.graphs = each->run.settings.cuda_graphs;
  fit.steps = fit_steps(seen, learnt, known);
  return fit;
}

/// Equal peaks, other memory: what separates two such accelerators is memory bandwidth alone.
bool differ_in_memory_only(const Accelerator& a, const Accelerator& b, Precision precision) {
  const double peaks = a.peak_at(precision) / b.peak_at(precision);
  const double bandwidths = a.memory_bandwidth.value / b.memory_bandwidth.value;
  return std::abs(peaks - 1) < 0.01 && std::abs(bandwidths - 1) > 0.1;
}

std::vector<double> model_parallel_sizes(std::span<const Observation* const> seen,
                                         const std::string& accelerator) {
  std::vector<double> sizes;
  for (const Observation* each : seen)
    if (each->step && accelerator_of(*each) == accelerator)
      sizes.push_back(each->run.plan.model_parallel_size());
  return sizes;
}

double spread_of(Values values, double centre, bool relative) {
  const double spread = robust_deviation(values);
  return relative ? spread / std::max(std::abs(centre), 1e-12) : spread;
}

}  // namespace

std::vector<Observation> with_usual_precision(const std::vector<Observation>& observations) {
  std::vector<Observation> filled = observations;
  for (Observation& each : filled) {
    if (each.run.settings.precision) continue;
    std::array<int, precision_names.size()> votes{};
    for (const Observation& other : observations)
      if (other.run.workload == each.run.workload &&
          accelerator_of(other) == accelerator_of(each) && other.run.settings.precision)
        ++votes[static_cast<std::size_t>(*other.run.settings.precision)];
    const auto most = std::max_element(votes.begin(), votes.end());
    if (*most > 0) each.run.settings.precision = static_cast<Precision>(most - votes.begin());
  }
  return filled;
}

bool step_is_clean(const Observation& seen) {
  return seen.run.workload->evaluation.mode != EvaluationMode::Inline ||
         seen.evaluation_each.has_value();
}

std::vector<std::vector<const Observation*>> steps_by_accelerator(
    std::span<const Observation* const> seen) {
  std::vector<std::vector<const Observation*>> groups;
  for (const bool clean : {true, false})
    for (const Observation* each : seen) {
      if (!each->step || step_is_clean(*each) != clean) continue;
      const auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& other) {
        return accelerator_of(*other.front()) == accelerator_of(*each);
      });
      if (group == groups.end())
        groups.push_back({each});
      else if (step_is_clean(*group->front()) == clean)
        group->push_back(each);
    }
  std::stable_sort(groups.begin(), groups.end(),
                   [](const auto& a, const auto& b) { return a.size() > b.size(); });
  return groups;
}

std::vector<AcceleratorFit> fit_determined(
    std::span<const std::vector<const Observation*>> by_accelerator) {
  std::vector<AcceleratorFit> fits;
  for (const auto& seen : by_accelerator)
    if (overhead_is_determined(seen)) fits.push_back(fit_of(seen, Learnt::Overhead, {}));
  return fits;
}

ServerSpread measured_server_spread(std::span<const WorkloadCalibration> workloads) {
  constexpr int least_systems = 5;
  std::vector<double> spreads;
  for (const auto& workload : workloads)
    for (const auto& fit : workload.accelerators)
      for (const auto& release : fit.steps.releases)
        if (release.observations >= least_systems) spreads.push_back(release.server_spread);
  if (spreads.empty()) return {};
  return {.relative = median(spreads), .groups = static_cast<int>(spreads.size())};
}

std::optional<OperatorOverhead> shared_operator_overhead(
    std::span<const WorkloadCalibration> workloads) {
  std::vector<double> each;
  for (const auto& workload : workloads) {
    const WorkTotals work = total_work(*workload.workload);
    for (const auto& fit : workload.accelerators)
      if (fit.steps.learnt == Learnt::Overhead && fit.graphs == CudaGraphs::FullIteration) {
        each.push_back(fit.steps.overhead.base() /
                       (work.forward_operators + work.backward_operators));
        break;  // the best-known accelerator speaks for its workload
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
  // The overhead is the software's more than the chip's, but another vendor is another software.
  constexpr double borrowed_spread = 0.15;
  constexpr double other_vendor_spread = 0.5;
  KnownTerms known;
  if (!calibration.accelerators.empty()) {
    known.overhead = calibration.accelerators.front().steps.overhead;
  } else if (per_operator) {
    const WorkTotals work = total_work(*calibration.workload);
    known.overhead = (work.forward_operators + work.backward_operators) * per_operator->each;
  }
  const auto add = [&](std::span<const Observation* const> seen, Learnt learnt) {
    calibration.accelerators.push_back(fit_of(seen, learnt, known));
    AcceleratorFit& added = calibration.accelerators.back();
    const bool same_vendor =
        added.accelerator.vendor == calibration.accelerators.front().accelerator.vendor;
    added.steps.overhead_spread = same_vendor ? borrowed_spread : other_vendor_spread;
  };
  const auto is_missing = [&](const auto& seen) {
    return std::none_of(
        calibration.accelerators.begin(), calibration.accelerators.end(),
        [&](const auto& fit) { return fit.accelerator.name == accelerator_of(*seen.front()); });
  };
  for (const auto& seen : by_accelerator)
    if (is_missing(seen) && overlap_loss_is_determined(seen)) {
      add(seen, Learnt::OverlapLoss);
      known.overlap_loss = calibration.accelerators.back().steps.overlap_loss;
    }
  for (const auto& seen : by_accelerator)
    if (is_missing(seen)) add(seen, Learnt::Efficiencies);
}

std::optional<double> measured_memory_share(const WorkloadCalibration& calibration,
                                            std::span<const Observation* const> seen) {
  for (const auto& a : calibration.accelerators)
    for (const auto& b : calibration.accelerators) {
      if (!differ_in_memory_only(a.accelerator, b.accelerator, a.precision)) continue;
      const auto sizes_a = model_parallel_sizes(seen, a.accelerator.name);
      const auto sizes_b = model_parallel_sizes(seen, b.accelerator.name);
      if (median(sizes_a) != median(sizes_b) || a.precision != b.precision) continue;
      for (const auto& release_a : a.steps.releases)
        for (const auto& release_b : b.steps.releases) {
          if (release_a.name != release_b.name) continue;
          const double times = release_b.efficiency / release_a.efficiency;  // time a / time b
          const double memory =
              b.accelerator.memory_bandwidth.value / a.accelerator.memory_bandwidth.value;
          return std::clamp((times - 1) / (memory - 1), 0.0, 1.0);
        }
    }
  return {};
}

std::vector<ReferencePoint> convergence_points(const Workload& workload,
                                               std::span<const Observation* const> seen) {
  constexpr std::size_t least_systems = 5;
  std::vector<ReferencePoint> points = workload.convergence;
  std::vector<double> batches;
  for (const Observation* each : seen)
    if (each->samples) batches.push_back(each->run.plan.global_batch());
  std::sort(batches.begin(), batches.end());
  batches.erase(std::unique(batches.begin(), batches.end()), batches.end());
  for (const double batch : batches) {
    std::vector<double> samples;
    std::vector<double> deviations;
    int runs = 0;
    for (const Observation* each : seen) {
      if (!each->samples || each->run.plan.global_batch() != batch) continue;
      samples.push_back(*each->samples);
      if (each->samples_deviation) deviations.push_back(*each->samples_deviation);
      runs += each->run.runs;
    }
    const bool known = std::any_of(points.begin(), points.end(),
                                   [&](const auto& point) { return point.batch == batch; });
    if (known || samples.size() < least_systems || deviations.empty()) continue;
    points.push_back({.batch = batch,
                      .samples = median(samples),
                      .standard_deviation = median(deviations),
                      .runs = runs});
  }
  std::sort(points.begin(), points.end(),
            [](const auto& a, const auto& b) { return a.batch < b.batch; });
  return points;
}

std::vector<ReleaseFigure> release_figures(std::span<const LabelledValue> values, bool relative) {
  std::vector<ReleaseFigure> figures;
  std::vector<std::vector<double>> collected;
  for (const auto& [seen, value] : values) {
    const std::string& release = seen->run.settings.software_release;
    const auto place = std::find_if(figures.begin(), figures.end(), [&](const auto& figure) {
      return figure.accelerator == accelerator_of(*seen) && figure.release == release;
    });
    const auto index = static_cast<std::size_t>(place - figures.begin());
    if (place == figures.end()) {
      figures.push_back({.accelerator = accelerator_of(*seen), .release = release});
      collected.emplace_back();
    }
    collected[index].push_back(value);
  }
  for (std::size_t i = 0; i < figures.size(); ++i) {
    figures[i].value = median(collected[i]);
    figures[i].spread = spread_of(collected[i], figures[i].value, relative);
  }
  return figures;
}

}  // namespace tofn
