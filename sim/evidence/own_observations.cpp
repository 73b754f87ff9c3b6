#include "sim/evidence/own_observations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/calibrated_step.hpp"

namespace tofn {
inline namespace evidence {
namespace {

/// Relative standard error of the median of normal values.
double error_of(const MeasuredStep& row) {
  return std::sqrt(std::numbers::pi / 2 / row.steps) * row.spread;
}

bool is_named(const Workload& workload, const std::string& name) {
  return name == workload.name ||
         std::ranges::find(workload.aliases, name) != workload.aliases.end();
}

/// InputError if the log's own words, or the FLOPs that it counts, are those of another model.
void check_model(const MeasuredStep& row, const Workload& workload) {
  if (!row.model.benchmark.empty() && !is_named(workload, row.model.benchmark))
    throw InputError(
        fmt::format("the log is of {}, not of {}", row.model.benchmark, workload.name));
  if (!row.rate_each) return;
  constexpr double most = 1.4;  // counts with or without recomputation, attention, frozen weights
  const Flops counted = *row.rate_each * row.step * (row.accelerators / row.global_batch);
  const Flops needed = total_work(workload).total();
  if (counted / needed > most || needed / counted > most)
    throw InputError(fmt::format("the log counts {} a sample, {} takes {}: it is of another model",
                                 to_text(counted), workload.name, to_text(needed)));
}

/// FLOP/s of the workload over the 16-bit peak of all accelerators.
double utilisation_of(const Observation& seen) {
  const Plan& plan = seen.run.plan;
  const Flops work = total_work(*seen.run.workload).total() * plan.global_batch();
  const FlopsPerSecond peak = seen.run.cluster->accelerator.peak_at(Precision::Bf16);
  return work / *seen.step / (peak * plan.accelerators());
}

/// InputError if the arithmetic alone would take longer at the chip's peak, at the stated precision
/// or else at its fastest.
void check_peak(const Observation& seen) {
  const Accelerator& chip = seen.run.cluster->accelerator;
  FlopsPerSecond peak{};
  for (const auto& each : chip.peak)
    if (each) peak = std::max(peak, each->value);
  if (seen.run.settings.precision) peak = chip.peak_at(*seen.run.settings.precision);
  const Plan& plan = seen.run.plan;
  const Flops work = total_work(*seen.run.workload).total() * plan.global_batch();
  const double used = work / *seen.step / (peak * plan.accelerators());
  if (used <= 1) return;
  throw InputError(
      fmt::format("{:g} samples of {} in {} on {} {} would be {:.3g} x their peak: the time of a "
                  "step, the batch or the number of accelerators is wrong",
                  plan.global_batch(), seen.run.workload->name, to_text(*seen.step),
                  plan.accelerators(), chip.name, used));
}

Observation observation_of(const MeasuredStep& row, const StepProfile& profile,
                           const Workload& workload, const Cluster& cluster) {
  if (row.pipeline_parallel_size > 1)
    throw InputError("steps of pipelines calibrate no workload: its plans have none");
  check_model(row, workload);
  const Plan plan = make_plan({.accelerators = row.accelerators,
                               .global_batch = row.global_batch,
                               .tensor_parallel_size = row.tensor_parallel_size,
                               .context_parallel_size = row.context_parallel_size,
                               .gradient_accumulation = row.gradient_accumulation});
  Observation seen;
  seen.run = {
      .workload = &workload, .cluster = &cluster, .plan = plan, .settings = profile.settings};
  seen.origin = profile.name;
  seen.step = row.step;
  seen.step_error = error_of(row);
  if (workload.simulated)
    throw InputError(fmt::format(
        "steps of {} are simulated from the dimensions of its model: measured ones change nothing "
        "for the workload; calibrate its model: `--model {}`",
        workload.name, workload.simulated->model.name));
  const CalibratedStep fits(workload, cluster, plan, profile.settings,
                            {});  // throws if the plan does not fit
  check_peak(seen);
  return seen;
}

}  // namespace

std::vector<Observation> own_observations(const std::filesystem::path& file,
                                          const StepProfile& profile, Library& library) {
  const Location place{.file = file.string()};
  const Workload& workload = at_key(place, "workload", [&]() -> const Workload& {
    return library.workload_or_file(profile.workload);
  });
  const Cluster& cluster = at_key(
      place, "cluster", [&]() -> const Cluster& { return library.cluster(profile.cluster); });
  std::vector<Observation> seen;
  for (const MeasuredStep& row : profile.rows)
    seen.push_back(
        at_key(place, row.source, [&] { return observation_of(row, profile, workload, cluster); }));
  return seen;
}

void check_utilisation(std::span<const Observation> own, std::span<const Observation> published) {
  constexpr double room = 2.5;  // other chips, 8 bits instead of 16
  for (const Observation& seen : own) {
    double least = std::numeric_limits<double>::infinity();
    double most = 0;
    for (const Observation& other : published) {
      if (other.run.workload != seen.run.workload || !other.step) continue;
      least = std::min(least, utilisation_of(other));
      most = std::max(most, utilisation_of(other));
    }
    const double used = utilisation_of(seen);
    if (most == 0 || (used >= least / room && used <= most * room)) continue;
    throw InputError(fmt::format(
        "{} of {} in {} on {} accelerators would be {:.3g} % of their 16-bit peak; published runs "
        "make {:.3g} to {:.3g} %: another model, batch or number of accelerators ran",
        seen.run.plan.global_batch() == 1
            ? "a sample"
            : fmt::format("{:g} samples", seen.run.plan.global_batch()),
        seen.run.workload->name, to_text(*seen.step), seen.run.plan.accelerators(), 100 * used,
        100 * least, 100 * most));
  }
}

void check_efficiency(const Calibration& calibration) {
  for (const WorkloadCalibration& workload : calibration.workloads())
    for (const AcceleratorFit& fit : workload.accelerators)
      for (const auto& release : fit.steps.releases)
        if (!release.profile.empty() && release.efficiency > 1)
          throw InputError(
              {}, release.profile,
              fmt::format("its steps would make {} {:.3g} x the peak of {}: a time, "
                          "batch or number of accelerators is wrong",
                          workload.workload->name, release.efficiency, fit.accelerator.name));
}

bool own_steps_count(const Calibration& calibration, const Workload& workload,
                     const Accelerator& accelerator) {
  for (const WorkloadCalibration& each : calibration.workloads()) {
    if (each.workload != &workload) continue;
    // An accelerator without observations borrows from the best-known one.
    const AcceleratorFit* used = &each.accelerators.front();
    for (const AcceleratorFit& fit : each.accelerators)
      if (fit.accelerator.name == accelerator.name) used = &fit;
    return std::ranges::any_of(used->steps.releases,
                               [](const auto& release) { return !release.profile.empty(); });
  }
  return false;
}

const WorkloadCalibration& workload_of(const OwnFit& report) {
  const auto& all = report.calibration->workloads();
  return *std::ranges::find_if(
      all, [&](const auto& each) { return each.workload == report.own.front().run.workload; });
}

const AcceleratorFit& accelerator_of(const OwnFit& report) {
  const auto& all = workload_of(report).accelerators;
  return *std::ranges::find_if(all, [&](const auto& each) {
    return each.accelerator.name == report.own.front().run.cluster->accelerator.name;
  });
}

bool tells_overhead(const OwnFit& report) {
  for (const auto& release : accelerator_of(report).steps.releases)
    if (!release.profile.empty()) return release.tells_overhead;
  return false;
}

Seconds fitted_step(const RunDescription& run, const ComputeProfile& profile) {
  return CalibratedStep(*run.workload, *run.cluster, run.plan, run.settings, profile).times().total;
}

}  // namespace evidence
}  // namespace tofn
