#include "sim/answers/own_observations.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/parallelism/plan.hpp"
#include "sim/simulation/calibrated_step.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Relative standard error of the median of normal values.
double error_of(const MeasuredStep& row) {
  return std::sqrt(std::numbers::pi / 2 / row.steps) * row.spread;
}

Observation observation_of(const MeasuredStep& row, const StepProfile& profile,
                           const Workload& workload, const Cluster& cluster) {
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
        "steps of {} are simulated from the dimensions of its model: measured ones change nothing",
        workload.name));
  const CalibratedStep fits(workload, cluster, plan, profile.settings,
                            {});  // or says why it does not
  return seen;
}

/// What `find` returns, its InputError at the key of the file.
template <class Find>
auto& named(const std::filesystem::path& file, const char* key, const Find& find) {
  try {
    return find();
  } catch (const InputError& error) {
    throw InputError({.file = file.string()}, key, error.what());
  }
}

}  // namespace

std::vector<Observation> own_observations(const std::filesystem::path& file,
                                          const StepProfile& profile, Library& library) {
  const Workload& workload = named(file, "workload", [&]() -> const Workload& {
    return library.workload_or_file(profile.workload);
  });
  const Cluster& cluster =
      named(file, "cluster", [&]() -> const Cluster& { return library.cluster(profile.cluster); });
  std::vector<Observation> seen;
  for (const MeasuredStep& row : profile.rows) try {
      seen.push_back(observation_of(row, profile, workload, cluster));
    } catch (const InputError& error) {
      throw InputError({.file = file.string()}, row.source, error.what());
    }
  return seen;
}

bool own_steps_count(const Calibration& calibration, const Workload& workload,
                     const Accelerator& accelerator) {
  for (const WorkloadCalibration& each : calibration.workloads()) {
    if (each.workload != &workload) continue;
    // An accelerator that was never observed borrows from the best-known one.
    const AcceleratorFit* used = &each.accelerators.front();
    for (const AcceleratorFit& fit : each.accelerators)
      if (fit.accelerator.name == accelerator.name) used = &fit;
    return std::any_of(used->steps.releases.begin(), used->steps.releases.end(),
                       [](const auto& release) { return !release.profile.empty(); });
  }
  return false;
}

const WorkloadCalibration& workload_of(const OwnFit& report) {
  const auto& all = report.calibration->workloads();
  return *std::find_if(all.begin(), all.end(), [&](const auto& each) {
    return each.workload == report.own.front().run.workload;
  });
}

const AcceleratorFit& accelerator_of(const OwnFit& report) {
  const auto& all = workload_of(report).accelerators;
  return *std::find_if(all.begin(), all.end(), [&](const auto& each) {
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

}  // namespace answers
}  // namespace tofn
