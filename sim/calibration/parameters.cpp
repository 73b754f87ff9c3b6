#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/calibration/calibration.hpp"
#include "sim/calibration/carried_spreads.hpp"
#include "sim/calibration/fit_workloads.hpp"
#include "sim/calibration/nearest_figures.hpp"
#include "sim/core/error.hpp"
#include "sim/core/words.hpp"
#include "sim/parallelism/captured_graphs.hpp"

namespace tofn {
inline namespace calibration {
namespace {

/// Assumed spread if the overhead was fitted to captured iterations but the run captures less.
constexpr double uncaptured_overhead_spread = 0.5;
/// Host time to launch an operator that no graph captures, forward or backward. Two one-domain runs
/// of RetinaNet wait for their hosts: 25.97 and 25.99 ms a step of 8 images each on 32 and on 36
/// GB200, although captured runs of others take 12 ms with 4 images and 34 with 16
/// (mlcommons/training_results_v5.0, Dell/8xXE9712x4GB200 and 9xXE9712x4GB200); over the 309
/// operators of its step.
constexpr Seconds uncaptured_operator{25.98e-3 / 309};
/// Assumed spread of an overhead from other machines' runs, as between accelerators of one vendor.
constexpr double borrowed_overhead_spread = 0.15;
constexpr double least_evaluation_spread = 0.10;
constexpr double least_fixed_spread_seconds = 1.0;
constexpr double least_fixed_spread_steps = 3.0;

/// Efficiency carried to another accelerator or precision: the memory-bound share of time follows
/// memory bandwidth, the rest follows the peak.
double carried_efficiency(const WorkloadCalibration& from, const AcceleratorFit& fit,
                          double efficiency, const Accelerator& to, PassPrecision precision) {
  const PassPrecision fitted = pass_precision(fit.precision, precision.attention == Precision::Fp8);
  const WorkTotals work = total_work(*from.workload);
  const Seconds before = ideal_time(work, fit.accelerator, fitted);
  const Seconds after = ideal_time(work, to, precision);
  const double memory = fit.accelerator.memory_bandwidth.value / to.memory_bandwidth.value;
  const double slowdown = (1 - from.memory_share) * (after / before) + from.memory_share * memory;
  return efficiency * (after / before) / slowdown;
}

/// Precision of a run. A setting that it does not state comes from the runs that calibrate it: FP8
/// attention from those of the same split. Precisions that its chip lacks are replaced by those it
/// computes in.
PassPrecision precision_of(const AcceleratorFit& fit, const RunDescription& run) {
  const StepFit::ObservedSplit* split = fit.steps.find(split_of(run.plan));
  const bool default_attention = split != nullptr && split->with_fp8_attention > split->without;
  return run.cluster->accelerator.computes_in(
      pass_precision(run.settings.precision.value_or(fit.precision),
                     run.settings.fp8_attention.value_or(default_attention)));
}

/// Name of a fit, such as `H100 SXM 24.09` or `H100 SXM, step profile my-node (overhead borrowed)`.
std::string origin_of(const AcceleratorFit& fit, const StepFit::Release& release) {
  if (release.profile.empty())
    return fmt::format("{} {}", fit.accelerator.name,
                       release.name.empty() ? "(release not stated)" : release.name);
  return fmt::format("{}, step profile {}{}", fit.accelerator.name, release.profile,
                     release.tells_overhead ? "" : " (overhead borrowed)");
}

/// Graphs that a run requests; absent if it states none, or one that its chip cannot capture.
std::optional<CudaGraphs> requested_graphs(const RunDescription& run) {
  const std::optional<CudaGraphs>& request = run.settings.cuda_graphs;
  if (!request || captured_graphs(*request, run.cluster->accelerator) == *request) return request;
  return {};
}

bool is_within(const ComputeProfile& profile, double micro_batch) {
  return profile.smallest_batch <= micro_batch && micro_batch <= profile.largest_batch;
}

}  // namespace

void Calibration::set_overhead(ComputeProfile& profile, const AcceleratorFit& fit,
                               const RunDescription& run) const {
  profile.overhead = fit.steps.overhead;
  profile.overhead_spread = fit.steps.overhead_spread;
  const bool within = is_within(profile, run.plan.micro_batch);
  const StepFit::Release& release = nearest_release(fit.steps, run.settings.software_release);
  const bool is_borrowed = !release.profile.empty() && !release.tells_overhead;
  profile.overhead_basis = fit.steps.learned != Learned::Overhead ? Basis::Formula
                           : within && !is_borrowed               ? Basis::Interpolated
                                                                  : Basis::Extrapolated;
  if (is_borrowed)
    profile.overhead_spread = std::max(profile.overhead_spread, borrowed_overhead_spread);
  // The workload's default capture is known only for the vendor with most of its runs.
  const bool is_default_vendor = run.cluster->accelerator.vendor ==
                                 find(*run.workload)->accelerators.front().accelerator.vendor;
  const auto request = requested_graphs(run);
  const auto graphs = request || !is_default_vendor ? request : run.workload->cuda_graphs;
  const bool run_is_captured = graphs == CudaGraphs::FullIteration;
  const bool run_is_not = request && !run_is_captured;
  const WorkTotals work = total_work(*run.workload);
  const double operators = work.forward_operators + work.backward_operators;
  if (graphs == CudaGraphs::None) profile.host = operators * uncaptured_operator;
  const bool overhead_is_captured =
      fit.graphs == CudaGraphs::FullIteration || find(*run.workload)->overhead_is_per_operator;
  if (run_is_not && overhead_is_captured) {
    profile.overhead_spread = std::hypot(profile.overhead_spread, uncaptured_overhead_spread);
    profile.overhead_basis = Basis::Assumed;
  }
  if (!run_is_captured || overhead_is_captured || !operator_overhead_) return;
  profile.overhead = operators * operator_overhead_->each;
  profile.overhead_spread = operator_overhead_->spread;
  profile.overhead_basis = Basis::Formula;
}

const WorkloadCalibration& Calibration::calibrated(const Workload& workload) const {
  const WorkloadCalibration* calibration = find(workload);
  if (calibration == nullptr || (calibration->accelerators.empty() && !workload.simulated))
    throw InputError(
        fmt::format("no calibration: no one-domain run of {} was observed", workload.name));
  return *calibration;
}

ComputeProfile Calibration::profile_for(const RunDescription& run) const {
  if (run.workload->simulated) return simulated_profile_for(run);
  const WorkloadCalibration& calibration = calibrated(*run.workload);
  const Accelerator& accelerator = run.cluster->accelerator;
  const AcceleratorFit& fit = nearest_fit(calibration.accelerators, accelerator);
  const bool is_own = fit.accelerator.name == accelerator.name;
  const bool shares_architecture = is_own || share_architecture(fit.accelerator, accelerator);
  const StepFit::Release& release = nearest_release(fit.steps, run.settings.software_release);
  const bool same_release = release.name == run.settings.software_release;
  const PassPrecision precision = precision_of(fit, run);
  const bool same_precision = precision.matmul == fit.precision;

  ComputeProfile profile;
  profile.precision = precision;
  profile.efficiency = release.efficiency;
  profile.efficiency_spread = release.spread;
  profile.overlap_loss = fit.steps.overlap_loss;
  profile.context_loss = fit.steps.context_loss;
  profile.node_spread = server_spread_.relative;
  profile.smallest_batch = fit.steps.smallest_batch;
  profile.largest_batch = fit.steps.largest_batch;
  const bool within = is_within(profile, run.plan.micro_batch);
  profile.basis = same_release && within ? Basis::Interpolated : Basis::Extrapolated;
  profile.origin = origin_of(fit, release);
  if (!is_own || !same_precision) {
    profile.efficiency =
        carried_efficiency(calibration, fit, release.efficiency, accelerator, precision);
    profile.basis = Basis::Formula;
  }
  const bool is_in_one_domain =
      run.plan.accelerators() <= run.cluster->scale_up.domain_accelerators.value;
  profile.split_was_observed = fit.steps.find(split_of(run.plan)) != nullptr;
  for (const auto& [holds, spread] :
       {std::pair{same_release, carried_spreads.release},
        std::pair{is_own || !shares_architecture, carried_spreads.same_architecture},
        std::pair{shares_architecture, carried_spreads.accelerator},
        std::pair{same_precision, carried_spreads.precision},
        std::pair{profile.split_was_observed || !is_in_one_domain, carried_spreads.split}})
    if (!holds) profile.efficiency_spread = std::hypot(profile.efficiency_spread, spread);
  if (!is_in_one_domain) profile.step_spread = carried_spreads.domains;
  if (!profile.split_was_observed) profile.basis = weakest(profile.basis, Basis::Extrapolated);
  set_overhead(profile, fit, run);
  return profile;
}

namespace {

/// Assumed parameters without the samples.
RunParameters assumed_but_samples(const RunDescription& run) {
  RunParameters parameters;
  const Precision own = run.plan.precision.value_or(run.workload->precision);
  const PassPrecision request = pass_precision(run.settings.precision.value_or(own),
                                               run.settings.fp8_attention.value_or(false));
  parameters.compute = {.precision = run.cluster->accelerator.computes_in(request),
                        .efficiency = 0.4,
                        .efficiency_spread = 0.3,
                        .overhead = {},
                        .overhead_spread = 0,
                        .host = {},
                        .overlap_loss = 0,
                        .node_spread = 0,
                        .smallest_batch = 0,
                        .largest_batch = 0,
                        .split_was_observed = false,
                        .basis = Basis::Assumed,
                        .overhead_basis = Basis::Assumed,
                        .origin = "assumed"};
  parameters.evaluation_factor = {.value = 1, .spread = 0.5, .basis = Basis::Assumed};
  if (const auto& simulated = run.workload->simulated) {
    parameters.compute.origin = fmt::format("the dimensions of {} and the figures of stack {}",
                                            simulated->model.name, simulated->kernels.name);
    parameters.evaluation_factor = {.value = 1, .spread = 0.2, .basis = Basis::Formula};
  }
  parameters.fixed = {.value = 0, .spread = 10, .basis = Basis::Assumed};
  return parameters;
}

/// Round of the benchmark whose code a software release runs: the first round submitted after it
/// (mlcommons.org: v4.0 in May 2024, v4.1 in October, v5.0 in May 2025, ...). Absent for the
/// newest.
std::optional<double> round_of_release(const std::string& release) {
  constexpr std::array<std::pair<std::string_view, double>, 3> submitted{
      {{"24.05", 4.0}, {"24.10", 4.1}, {"25.05", 5.0}}};
  for (const auto& [month, round] : submitted) {
    const auto months = months_between(release, month);
    if (months && *months >= 0) return round;
  }
  return {};
}

/// Reference points of the code that a run uses, because they change with the hyper-parameters that
/// a round found: on one node of v5.0 Stable Diffusion took 2.0 million images with 24.09, which
/// v4.1 had run, and 1.7 million with 25.04. Absent if the newest points apply.
std::optional<std::vector<ReferencePoint>> points_of_its_own(
    const RunDescription& run, const std::vector<ReferencePoint>& newest) {
  const auto& replaced = run.workload->replaced_convergence;
  const auto of_code = round_of_release(run.settings.software_release);
  if (replaced.empty() || (!run.round && !of_code)) return {};
  constexpr double latest = std::numeric_limits<double>::infinity();
  return as_of_round(newest, replaced,
                     std::min(run.round.value_or(latest), of_code.value_or(latest)));
}

/// Takes the time outside steps and evaluations from the nearest releases, because start-up depends
/// on the software.
void set_fixed(RunParameters& parameters, const WorkloadCalibration& calibration,
               const RunDescription& run) {
  if (calibration.fixed.empty()) return;
  const TypicalFigure figure = typical_figure(calibration.fixed, run);
  const double least =
      calibration.fixed_is_in_steps ? least_fixed_spread_steps : least_fixed_spread_seconds;
  parameters.fixed = {.value = figure.value,
                      .spread = std::max(figure.spread, least),
                      .basis = figure_basis(*figure.nearest, run)};
  parameters.fixed_is_in_steps = calibration.fixed_is_in_steps;
}

}  // namespace

RunParameters assumed_parameters(const RunDescription& run) {
  RunParameters parameters = assumed_but_samples(run);
  const auto& newest = run.workload->convergence;
  parameters.samples =
      samples_to_target(points_of_its_own(run, newest).value_or(newest), run.plan.global_batch());
  return parameters;
}

SamplesToTarget Calibration::samples_for(const RunDescription& run,
                                         const WorkloadCalibration& calibration) {
  const auto own = points_of_its_own(run, calibration.convergence);
  const double batch = run.plan.global_batch();
  SamplesToTarget samples =
      own ? samples_to_target(*own, batch)
          : samples_to_target(calibration.convergence, calibration.convergence_law, batch);
  for (double* each : {&samples.expected, &samples.expected_deviation, &samples.run_deviation})
    *each *= calibration.samples_factor;
  return samples;
}

ComputeProfile Calibration::simulated_profile_for(const RunDescription& run) const {
  ComputeProfile profile = assumed_but_samples(run).compute;
  const auto learned = calibrated(*run.workload).teaching_steps.learned_for(run);
  if (!learned) return profile;
  profile.kernels = learned->kernels;
  profile.split_was_observed = learned->split_was_observed;
  if (!run.settings.precision)
    profile.precision = run.cluster->accelerator.computes_in(
        pass_precision(learned->precision, run.settings.fp8_attention.value_or(false)));
  profile.origin +=
      fmt::format(", which {} of it{} moved", counted(learned->kernels->own_steps, "measured step"),
                  learned->accelerator.empty() ? "" : " on " + learned->accelerator);
  return profile;
}

RunParameters Calibration::parameters_for(const RunDescription& run) const {
  if (run.workload->simulated && find(*run.workload) == nullptr) return assumed_parameters(run);
  const WorkloadCalibration& calibration = calibrated(*run.workload);
  RunParameters parameters = assumed_but_samples(run);
  parameters.compute = profile_for(run);
  parameters.evaluation = calibration.evaluation;
  if (const auto* figure = nearest(calibration.evaluation_factors, run)) {
    const double carried = parameters.compute.split_was_observed ? 0 : carried_spreads.evaluation;
    parameters.evaluation_factor = {
        .value = figure->value,
        .spread = std::hypot(std::max(figure->spread, least_evaluation_spread), carried),
        .basis = figure_basis(*figure, run)};
  }
  set_fixed(parameters, calibration, run);
  parameters.samples = samples_for(run, calibration);
  return parameters;
}

}  // namespace calibration
}  // namespace tofn
