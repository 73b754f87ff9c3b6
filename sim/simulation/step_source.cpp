#include "sim/simulation/step_source.hpp"

#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/model/layer_work.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/simulation/calibrated_step.hpp"
#include "sim/simulation/dimensioned_step.hpp"
#include "sim/simulation/step_energy.hpp"

namespace tofn {
inline namespace simulation {
namespace {

Flops flops_of(const PassWork& pass) {
  Flops sum;
  for (const Kernel& kernel : pass.kernels) sum += kernel.flops();
  return sum;
}

}  // namespace

SampleWork sample_work(const Model& model, const Plan& plan) {
  const double ranks = 1.0 * plan.tensor_parallel_size * plan.context_parallel_size;
  const double share = ranks / plan.micro_batch;
  SampleWork work{.model = model_flops(model),
                  .hardware = {},
                  .recomputed = {},
                  .forward = {},
                  .parameter_flops = parameter_flops(model),
                  .active_parameters = active_parameters(model),
                  .sequence_length = model.sequence_length};
  for (const LayerWork& layer : layer_work(model, plan)) {
    const Flops forward = share * layer.count * flops_of(layer.forward);
    work.forward += forward;
    work.recomputed += share * layer.count * flops_of(layer.recompute);
    work.hardware +=
        forward + share * layer.count * (flops_of(layer.backward) + flops_of(layer.recompute));
  }
  return work;
}

PlacedJob StepSource::job() const { return placed_job(plan(), cluster()); }

Activity StepSource::activity() const { return activity_of(times()); }

std::shared_ptr<const StepSource> step_source(const Workload& workload, const Cluster& cluster,
                                              const Plan& plan, const RunSettings& settings,
                                              const ComputeProfile& profile) {
  if (!workload.simulated)
    return std::make_shared<CalibratedStep>(workload, cluster, plan, settings, profile);
  RunSettings known = settings;
  if (!known.precision) known.precision = profile.precision.matmul;
  return std::make_shared<DimensionedStep>(
      workload.simulated->model, cluster, simulated_plan(workload, plan, known),
      profile.kernels ? *profile.kernels : workload.simulated->kernels);
}

Plan simulated_plan(const Workload& workload, const Plan& plan, const RunSettings& settings) {
  Plan whole = with_settings(plan, settings);
  if (!whole.precision) whole.precision = workload.precision;
  return whole;
}

void require_known_plan(const Workload& workload, const Plan& plan) {
  if (workload.simulated) return;
  require_calibrated_plan(plan);
  if (plan.accelerators_per_domain)
    throw InputError(
        "accelerators_per_domain changes nothing of a workload of observed runs, which fills "
        "domains as its groups need");
}

void require_calibrated_plan(const Plan& plan) {
  const auto requested_for = std::to_array<std::pair<bool, std::string_view>>(
      {{plan.pipeline_parallel_size > 1, "a pipeline (pp > 1)"},
       {plan.chunks_per_stage > 1, "interleaved stages"},
       {plan.schedule != Plan{}.schedule, "another pipeline schedule"},
       {plan.expert_parallel_size > 1, "expert parallelism (ep > 1)"},
       {plan.sequence_parallel, "sequence parallelism"},
       {plan.context_exchange != ContextExchange::Ring, "all-gathered keys and values"},
       {plan.recompute != Recompute::None, "recomputation"},
       {plan.sharded != Sharded::Nothing || plan.shards_in_domain || plan.shard_ranks,
        "sharded state"},
       {plan.parameter_overlap, "parameters gathered beside the forward pass"},
       {plan.send_overlap, "sends of a pipeline beside its passes"},
       {plan.optimizer != Plan{}.optimizer, "an optimizer that is not the workload's"},
       {plan.offloads_optimizer, "an offloaded optimizer"},
       {plan.compression != GradientCompression::None, "gradient compression"}});
  for (const auto& [is_requested, what] : requested_for)
    if (is_requested)
      throw InputError(fmt::format(
          "the plan has {}, which predictions from measured runs do not know; `tofn step` "
          "simulates it",
          what));
  visit_plan([&](const PlanField& field, auto member) {
    const bool is_known = field.name == "tp" || field.name == "cp" ||
                          field.name == "accelerators_per_domain" || !field.is_own_key();
    if (!is_known && plan.*member != Plan{}.*member)
      throw InputError(fmt::format(
          "the plan states {}, which predictions from measured runs do not know; `tofn step` "
          "simulates it",
          field.key));
  });
}

}  // namespace simulation
}  // namespace tofn
