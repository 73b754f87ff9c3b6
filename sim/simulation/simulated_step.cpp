#include "sim/simulation/simulated_step.hpp"

#include <algorithm>

#include "sim/kernel/kernel_time.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/model/stages.hpp"
#include "sim/parallelism/captured_graphs.hpp"
#include "sim/parallelism/chip_dispatch.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/simulation/accelerator_kind.hpp"
#include "sim/simulation/layer_pass.hpp"
#include "sim/simulation/measured_job.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/simulation/step_energy.hpp"
#include "sim/simulation/step_substitutions.hpp"
#include "sim/simulation/step_uncertainty.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

/// Accelerator that the others wait for.
const Accelerator& pacing(const SimulatedStep& step) {
  const bool is_other = !step.kinds.empty() && step.kinds[1].busy > step.kinds[0].busy;
  return is_other ? step.heterogeneous.mixed->cluster.accelerator : step.cluster.accelerator;
}

StepTimes times_of(const StepWork& work, std::optional<std::uint64_t> seed) {
  return seed ? simulate(work, *seed) : simulate(work);
}

/// Moves layers between stages if the other nodes hold stages and deal by speed.
HeterogeneousNodes dealt_nodes(const Model& model, const Plan& plan, const Cluster& cluster,
                               const KernelProfile& profile, HeterogeneousNodes heterogeneous) {
  auto& mixed = heterogeneous.mixed;
  if (mixed && mixed->deals_by_speed && !mixed->stages.is_empty())
    mixed = with_layers_by_speed(model, plan, cluster, profile, heterogeneous);
  return heterogeneous;
}

std::vector<ReplicaWork> dealt_works(const Model& model, const Plan& plan, const Cluster& cluster,
                                     const KernelProfile& profile,
                                     const HeterogeneousNodes& heterogeneous) {
  std::vector<ReplicaWork> works = replica_works(model, plan, cluster, profile, heterogeneous);
  if (works.size() > 1 && heterogeneous.mixed->deals_by_speed)
    deal_by_speed(works, micro_batch_multiple(plan));
  return works;
}

/// Work and times of the replicas that finish last, with the collectives of all.
struct LastReplicas {
  StepWork work;
  StepTimes times;
};
LastReplicas last_replicas(const std::vector<ReplicaWork>& works,
                           std::optional<std::uint64_t> seed) {
  LastReplicas last;
  for (const ReplicaWork& each : works) {
    StepTimes times = times_of(each.work, seed);
    if (times.total > last.times.total) last = {each.work, times};
  }
  for (const ReplicaWork& each : works) last.work.answered.add(each.work.answered);
  return last;
}

/// Mean over replicas: those without the slow node finish sooner and wait for it.
Activity mean_activity(const SimulatedStep& step, const KernelProfile& profile) {
  const Activity last = activity_of(step.times);
  if (!step.heterogeneous.slow.is_slower() || step.heterogeneous.mixed) return last;
  Activity others = activity_of(simulate(step_work(step.model, step.plan, step.cluster, profile)));
  others.communicating = step.times.total - others.computing - others.launching;
  const double slow = 1 / independent_replicas(step.plan, step.cluster);
  return slow * last + (1 - slow) * others;
}

std::vector<Footprint> memory_of(const Model& model, const Plan& plan, const Cluster& cluster,
                                 const MemoryProfile& profile,
                                 const HeterogeneousNodes& heterogeneous,
                                 const std::vector<ReplicaWork>& works) {
  std::vector<Footprint> memory;
  for (const ReplicaWork& each : works) {
    Plan own = plan;
    own.gradient_accumulation = each.work.micro_batches;
    const std::vector<LayerWork> layers =
        layer_work(model, computed_plan(own, model, cluster.accelerator));
    own = with_dealt_layers(own, heterogeneous, layers);
    for (const Footprint& stage : footprints(layers, own, profile)) memory.push_back(stage);
  }
  return memory;
}

/// States the spread of layers in the plan if the stages do not divide them evenly. Layers that
/// heterogeneous nodes take are already stated there.
Plan with_uneven_stages(Plan plan, const HeterogeneousNodes& heterogeneous,
                        std::span<const LayerWork> layers) {
  if (heterogeneous.mixed && heterogeneous.mixed->layers) return plan;
  const StageLayers held = stage_layers(layers, plan);
  if (!is_even(held)) plan.stage_layers = held;
  return plan;
}

/// A rate at the step's precision, averaged over the accelerators of the job.
FlopsPerSecond mean_rate(const SimulatedStep& step,
                         FlopsPerSecond (Accelerator::*rate)(Precision) const) {
  const Precision precision = requested_precision(step.model, step.plan);
  const FlopsPerSecond own = (step.cluster.accelerator.*rate)(precision);
  if (!step.heterogeneous.mixed) return own;
  const Cluster& mixed = step.heterogeneous.mixed->cluster;
  const double others =
      1.0 * step.heterogeneous.mixed->nodes * step.cluster.accelerators_per_node.value;
  return own + ((mixed.accelerator.*rate)(precision)-own) * (others / step.plan.accelerators());
}

/// True for a kernel that only moves bytes, or a matrix product whose memory traffic limits it.
bool is_memory_bound(const Kernel& kernel, PassPrecision precision, const Accelerator& accelerator,
                     const KernelProfile& profile) {
  if (kernel.k == 0) return true;
  KernelProfile faster = profile;
  faster.gemm_efficiency.value *= 1.01;
  faster.fused_attention_efficiency.value *= 1.01;
  const Seconds now = kernel_time(kernel, precision, accelerator, profile);
  return kernel_time(kernel, precision, accelerator, faster) > now * 0.995;
}

}  // namespace

FlopsPerSecond SimulatedStep::achieved() const {
  return model_flops(model) * plan.global_batch() / times.total / plan.accelerators();
}

FlopsPerSecond SimulatedStep::peak() const { return mean_rate(*this, &Accelerator::peak_at); }

Seconds SimulatedStep::shortest() const {
  const FlopsPerSecond best = mean_rate(*this, &Accelerator::best_product_at);
  return model_flops(model) * plan.global_batch() /
         (most_of_best_product * plan.accelerators() * best);
}

double SimulatedStep::model_flops_utilisation() const { return achieved() / peak(); }

std::vector<std::string_view> SimulatedStep::precisions() const {
  const auto runs_in = [&](const Cluster& on) {
    return to_text(on.accelerator.computes_in(requested_precision(model, plan)));
  };
  std::vector<std::string_view> names{runs_in(cluster)};
  if (heterogeneous.mixed && runs_in(heterogeneous.mixed->cluster) != names.front())
    names.push_back(runs_in(heterogeneous.mixed->cluster));
  return names;
}

const Accelerator& SimulatedStep::holder(std::size_t footprint) const {
  const auto stages = static_cast<std::size_t>(plan.pipeline_parallel_size);
  const bool is_other =
      heterogeneous.mixed &&
      (footprint >= stages || heterogeneous.mixed->stages.holds(static_cast<int>(footprint)));
  return is_other ? heterogeneous.mixed->cluster.accelerator : cluster.accelerator;
}

std::size_t SimulatedStep::tightest() const {
  std::size_t found = 0;
  for (std::size_t i = 1; i < memory.size(); ++i)
    if (free_memory(memory[i], holder(i)) < free_memory(memory[found], holder(found))) found = i;
  return found;
}

MemoryProfile memory_profile(const Model& model, const Plan& plan, const Cluster& cluster,
                             const KernelProfile& stack) {
  MemoryProfile profile;
  profile.state = state_of(cluster.accelerator.computes_in(requested_precision(model, plan)), plan);
  profile.gradient_bytes = gradient_bytes(plan, stack);
  profile.keeps_layer_gradients = stack.framework_defaults.keeps_layer_gradients.value_or(false);
  profile.gradients_grow = stack.framework_defaults.gradients_grow.value_or(false);
  profile.fragmentation = stack.framework_defaults.fragmentation.value_or(profile.fragmentation);
  profile.domain_accelerators = used_of_domain(plan, cluster);
  return profile;
}

SimulatedStep simulate_step(const Model& model, const Plan& plan, const Cluster& cluster,
                            const KernelProfile& profile, const HeterogeneousNodes& request,
                            std::optional<std::uint64_t> seed) {
  const std::vector<LayerWork> layers = layer_work(model, plan);
  check_plan(plan, plan_limits(layers));
  const HeterogeneousNodes heterogeneous = dealt_nodes(model, plan, cluster, profile, request);
  const std::vector<ReplicaWork> works = dealt_works(model, plan, cluster, profile, heterogeneous);
  LastReplicas last = last_replicas(works, seed);
  const MemoryProfile memory = memory_profile(model, plan, cluster, profile);
  SimulatedStep step{.model = model,
                     .plan = with_uneven_stages(plan, heterogeneous, layers),
                     .cluster = cluster,
                     .work = std::move(last.work),
                     .times = last.times,
                     .seconds = {},
                     .memory_profile = memory,
                     .memory = memory_of(model, plan, cluster, memory, heterogeneous, works),
                     .heterogeneous = heterogeneous,
                     .seed = seed};
  if (heterogeneous.mixed)
    step.kinds = accelerator_kinds(model, plan, cluster, profile, heterogeneous, works);
  step.memory_bound = memory_bound_share(layers,
                                         pacing(step).computes_in(pass_precision(
                                             requested_precision(model, plan), plan.fp8_attention)),
                                         pacing(step), profile);
  step.substitutions = step_substitutions(step, profile);
  step.responses = {model, plan, {cluster, profile, heterogeneous}, works};
  step.responses.bound(std::min(1.0, step.shortest() / step.times.total));
  step.rests_on_own_steps = profile.has_own_steps();
  take_measured(step, profile);
  step.activity = mean_activity(step, profile);
  step.seconds = step_interval(step.times.total, step.responses, step.cluster);
  return step;
}

Plan plan_that_runs(const SimulatedStep& step) {
  Plan plan = step.plan;
  const Accelerator& chip = step.cluster.accelerator;
  const PassPrecision runs =
      chip.computes_in(pass_precision(requested_precision(step.model, plan), plan.fp8_attention));
  plan.expert_dispatch = chip_dispatch(plan.expert_dispatch, chip);
  plan.cuda_graphs = captured_graphs(plan.cuda_graphs, chip);
  plan.fp8_attention = plan.fp8_attention && runs.attention == Precision::Fp8;
  plan.in_network_reduction = plan.in_network_reduction && can_reduce(step.cluster);
  return plan;
}

Bottleneck bottleneck_of(const StepTimes& times) {
  const auto share = [&](StepPart part) {
    return times.parts[static_cast<std::size_t>(part)] / times.total;
  };
  Bottleneck found;
  found.busy = share(StepPart::Compute) + share(StepPart::Optimizer);
  found.communication = times.exposed().time / times.total;
  found.waiting = times.waiting() / times.total;
  found.launch = share(StepPart::Launch);
  const char* longer_wait =
      share(StepPart::Bubble) >= share(StepPart::Imbalance) ? "bubble" : "imbalance";
  found.name = found.communication > 0.3                       ? "communication"
               : found.waiting > 0.1                           ? longer_wait
               : found.communication < 0.1 && found.busy > 0.9 ? "compute"
               : found.launch > 0.3                            ? "overhead"
                                                               : "mixed";
  return found;
}

bool fits(const SimulatedStep& step) {
  const std::size_t tightest = step.tightest();
  return fits(step.memory[tightest], step.holder(tightest));
}

std::vector<Change> changes_between(const SimulatedStep& from, const SimulatedStep& to,
                                    const KernelProfile& profile) {
  Cluster cluster = from.cluster;
  std::vector<Change> changes;
  const auto note = [&](const char* what) {
    const StepWork work =
        step_work(from.model, from.plan, cluster, profile, from.heterogeneous.slow);
    changes.push_back({what, times_of(work, from.seed).total});
  };
  if (from.heterogeneous.mixed) note("no other accelerators");
  cluster.accelerator = to.cluster.accelerator;
  note("accelerator");
  cluster.scale_up = to.cluster.scale_up;
  cluster.accelerators_per_node = to.cluster.accelerators_per_node;
  note("scale-up fabric and node");
  cluster = to.cluster;
  note("network");
  return changes;
}

double memory_bound_share(const std::vector<LayerWork>& layers, PassPrecision precision,
                          const Accelerator& accelerator, const KernelProfile& profile) {
  Seconds bound;
  Seconds all;
  for (const LayerWork& layer : layers)
    for (const PassWork* pass : {&layer.forward, &layer.backward, &layer.recompute})
      for (const Kernel& kernel : pass->kernels) {
        const Seconds time = layer.count * kernel_time(kernel, precision, accelerator, profile);
        all += time;
        if (is_memory_bound(kernel, precision, accelerator, profile)) bound += time;
      }
  return all > Seconds{} ? bound / all : 0;
}

}  // namespace simulation
}  // namespace tofn
