#include "sim/simulation/training_step.hpp"

#include "sim/core/error.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/simulation/calibrated_plan.hpp"
#include "sim/simulation/computed_plan.hpp"
#include "sim/simulation/simulated_step.hpp"

namespace tofn {
inline namespace simulation {
namespace {

std::variant<CalibratedStep, DimensionedStep> source_of(const Workload& workload,
                                                        const Cluster& cluster, const Plan& plan,
                                                        const RunSettings& settings,
                                                        const ComputeProfile& profile) {
  using Source = std::variant<CalibratedStep, DimensionedStep>;
  if (!workload.simulated)
    return Source(std::in_place_type<CalibratedStep>, workload, cluster, plan, settings, profile);
  RunSettings known = settings;
  if (!known.precision) known.precision = profile.precision.matmul;
  return Source(std::in_place_type<DimensionedStep>, workload.simulated->model, cluster,
                simulated_plan(workload, plan, known),
                profile.kernels ? *profile.kernels : workload.simulated->kernels);
}

}  // namespace

Plan simulated_plan(const Workload& workload, const Plan& plan, const RunSettings& settings) {
  Plan whole = with_settings(plan, settings);
  if (!whole.precision) whole.precision = workload.precision;
  return whole;
}

Footprint simulated_footprint(const Workload& workload, const Cluster& cluster, const Plan& plan,
                              const RunSettings& settings) {
  const Model& model = workload.simulated->model;
  const Plan whole = simulated_plan(workload, plan, settings);
  const std::vector<LayerWork> layers =
      layer_work(model, computed_plan(whole, model, cluster.accelerator));
  return largest_footprint(layers, whole,
                           memory_profile(model, whole, cluster, workload.simulated->kernels));
}

void require_known_plan(const Workload& workload, const Plan& plan) {
  if (workload.simulated) return;
  require_calibrated_plan(plan);
  if (plan.accelerators_per_domain)
    throw InputError(
        "accelerators_per_domain changes nothing of a workload of observed runs, which fills "
        "domains as its groups need");
}

TrainingStep::TrainingStep(const Workload& workload, const Cluster& cluster, const Plan& plan,
                           const RunSettings& settings, const ComputeProfile& profile)
    : source_(source_of(workload, cluster, plan, settings, profile)) {}

const StepWork& TrainingStep::work() const {
  return std::visit([](const auto& step) -> const StepWork& { return step.work(); }, source_);
}

StepTimes TrainingStep::times(const StepPerturbation& by) const {
  return std::visit([&](const auto& step) { return step.times(by); }, source_);
}

Seconds TrainingStep::forward_pass(double samples, double passes,
                                   const StepPerturbation& by) const {
  if (const auto* dimensioned = std::get_if<DimensionedStep>(&source_))
    return dimensioned->forward_pass(samples, passes, by);
  return std::get<CalibratedStep>(source_).forward_pass(samples, by);
}

StepSpreads TrainingStep::spreads() const {
  return std::visit([](const auto& step) { return step.spreads(); }, source_);
}

}  // namespace simulation
}  // namespace tofn
