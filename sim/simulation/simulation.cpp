#include "sim/simulation/simulation.hpp"

#include <algorithm>
#include <span>
#include <variant>

#include "sim/model/stages.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/simulation/layer_pass.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/simulation/stage_maker.hpp"

namespace tofn {
inline namespace simulation {
namespace {

/// Largest activations that cross each link at once, indexed by link.
std::vector<Bytes> sent_over_links(std::span<const LayerWork> layers, const PlacedLayers& placed,
                                   const Plan& plan) {
  std::vector<Bytes> largest(static_cast<std::size_t>(plan.pipeline_parallel_size));
  for (std::size_t part = 0; part + 1 < placed.size(); ++part)
    if (const auto link = link_after(plan, static_cast<int>(part))) {
      Bytes& most = largest[static_cast<std::size_t>(*link)];
      most = std::max(most, layers[placed[part].back().layer].boundary);
    }
  return largest;
}

/// Cost of sending activations to the next stage, or gradients back, over the pipeline's links.
/// Each tensor-parallel rank sends its part (Narayanan et al., SC 2021, section 4.1).
CollectiveCost send_cost(Bytes boundary, const Machine& machine) {
  const int parts = machine.plan.sequence_parallel ? 1 : machine.plan.tensor_parallel_size;
  return exchange_cost(CollectiveKind::SendReceive, boundary / parts,
                       machine.communicators.pipeline);
}

/// Time in which the first and the last stage add up gradients of tied embeddings, since each holds
/// the table. Zero if both ends share a stage, which holds one table.
Seconds tied_embeddings_time(const Model& model, const Machine& machine,
                             AnsweredCollectives& answered) {
  Seconds time;
  if (ends_share_a_stage(machine.plan)) return time;
  for (const ModelPart& part : model.parts)
    if (const double table = part.traits().tied_table / machine.plan.tensor_parallel_size;
        table > 0)
      time += answered.time_of(exchange_cost(CollectiveKind::AllReduce,
                                             Bytes{table * machine.gradient_bytes()},
                                             machine.communicators.ends));
  return time;
}

Machine machine_on(const StageHardware& hardware, const Model& model, const Plan& plan) {
  return {.plan = plan,
          .accelerator = *hardware.accelerator,
          .profile = *hardware.profile,
          .communicators = hardware.communicators,
          .precision = hardware.accelerator->computes_in(
              pass_precision(requested_precision(model, plan), plan.fp8_attention)),
          .of_mixture = has_experts(model)};
}

/// True if the layers are copies, as a model's pattern repeats them.
bool are_copies(const LayerWork& a, const LayerWork& b) {
  return a.count == b.count && a.launches_of_kernel == b.launches_of_kernel && a.name == b.name &&
         share_work(a.forward, b.forward) && share_work(a.backward, b.backward) &&
         share_work(a.recompute, b.recompute);
}

HardwareTimes times_of(std::span<const LayerWork> layers, const Machine& machine) {
  HardwareTimes times;
  times.layers.reserve(layers.size());
  std::vector<std::size_t> originals;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto original = std::ranges::find_if(
        originals, [&](std::size_t known) { return are_copies(layers[known], layers[i]); });
    if (original != originals.end()) {
      times.layers.push_back(times.layers[*original]);
      continue;
    }
    originals.push_back(i);
    times.layers.push_back(layer_times(layers[i], machine, times.answered));
  }
  return times;
}

void set_rules(StepWork& work, const Plan& plan, const Cluster& cluster,
               const KernelProfile& profile) {
  work.micro_batches = plan.gradient_accumulation;
  work.schedule = plan.schedule;
  work.pairs_passes = shape_of(plan).pairs;
  work.send_overlap = plan.send_overlap;
  work.data_overlap = plan.data_overlap;
  work.gathers_each_micro_batch = plan.sharded == Sharded::Parameters;
  work.reduces_each_micro_batch = reduces_each_micro_batch(plan);
  work.slowdown = uniform_slowdown(profile.overlap_slowdown);
  work.rank_noise = profile.rank_noise;
  work.replicas = independent_replicas(plan, cluster);
}

/// Work of replicas whose stages run on the kinds of hardware `on` (index of `kinds`, by stage).
StepWork replica_work(std::span<const LayerWork> layers, const Model& model,
                      const PlacedLayers& placed, const std::vector<TimedLayers>& kinds,
                      const std::vector<std::size_t>& on) {
  StepWork work;
  work.answered.reserve(8);  // most plans request no more
  const std::size_t stages = on.size();
  std::vector<StageMaker> makers;
  makers.reserve(kinds.size());
  for (const TimedLayers& kind : kinds) makers.emplace_back(layers, placed, kind, work.answered);
  for (auto* each : {&work.after, &work.optimizer}) each->reserve(stages);
  work.stages.reserve(stages);
  for (std::size_t stage = 0; stage < stages; ++stage) {
    StageTimes own = makers[on[stage]].stage(static_cast<int>(stage));
    work.stages.push_back(std::move(own.chunks));
    work.after.push_back(own.parameters);
    work.optimizer.push_back(own.optimizer);
  }
  if (stages == 1) return work;
  const Machine& first = kinds[on.front()].machine;
  const Machine& last = kinds[on.back()].machine;
  const Seconds tied = std::max(tied_embeddings_time(model, first, work.answered),
                                tied_embeddings_time(model, last, work.answered));
  work.after.front() += tied;
  work.after.back() += tied;
  const std::vector<Bytes> sent = sent_over_links(layers, placed, first.plan);
  for (std::size_t stage = 0; stage < stages; ++stage) {
    const Machine& next = kinds[on[(stage + 1) % stages]].machine;
    const auto time_to_send = [&](const Machine& machine) {
      return work.answered.time_of(send_cost(sent[stage], machine));
    };
    work.send.push_back(std::max(time_to_send(kinds[on[stage]].machine), time_to_send(next)));
  }
  return work;
}

}  // namespace

double independent_replicas(const Plan& plan, const Cluster& cluster) {
  return std::min(plan.data_parallel_size, cluster.nodes_of(placed_job(plan, cluster)));
}

Plan with_dealt_layers(Plan plan, const HeterogeneousNodes& heterogeneous,
                       std::span<const LayerWork> layers) {
  if (heterogeneous.mixed && heterogeneous.mixed->layers)
    plan.stage_layers = stage_layers(*heterogeneous.mixed, plan, *plan_limits(layers).layers);
  return plan;
}

namespace {

/// Layers with their times on each kind of hardware; fills `times` if empty.
std::vector<TimedLayers> timed(std::span<const LayerWork> layers, KindTimes& times,
                               const Model& model, const Plan& plan, const JobHardware& hardware) {
  times.resize(hardware.kinds.size());
  std::vector<TimedLayers> kinds;
  kinds.reserve(hardware.kinds.size());
  for (std::size_t i = 0; i < hardware.kinds.size(); ++i) {
    const Machine machine = machine_on(hardware.kinds[i], model, plan);
    if (times[i].layers.empty()) times[i] = times_of(layers, machine);
    kinds.push_back({machine, times[i].layers});
  }
  return kinds;
}

std::vector<ReplicaWork> replica_works(const Model& model, std::span<const LayerWork> layers,
                                       const PlacedLayers& placed, KindTimes& times,
                                       const Plan& plan, const Cluster& cluster,
                                       const KernelProfile& profile,
                                       const HeterogeneousNodes& heterogeneous) {
  const JobHardware hardware = job_hardware(plan, cluster, profile, heterogeneous);
  std::vector<TimedLayers> kinds = timed(layers, times, model, plan, hardware);
  std::vector<ReplicaWork> works;
  for (const ReplicaHardware& replica : hardware.replicas) {
    works.push_back({.replicas = replica.replicas,
                     .work = replica_work(layers, model, placed, kinds, replica.stages)});
    set_rules(works.back().work, plan, cluster, profile);
    StepWork& work = works.back().work;
    for (const HardwareTimes& each : times) work.answered.add(each.answered);
    for (auto* of_stages : {&work.send, &work.after, &work.optimizer})
      for (std::size_t stage = 0; stage < of_stages->size(); ++stage) {
        (*of_stages)[stage] *= kinds[replica.stages[stage]].machine.chip_factor();
      }
  }
  return works;
}

}  // namespace

std::vector<ReplicaWork> replica_works(const Model& model, const Plan& plan, const Cluster& cluster,
                                       const KernelProfile& profile,
                                       const HeterogeneousNodes& heterogeneous) {
  KindTimes times;
  const std::vector<LayerWork> layers =
      layer_work(model, computed_plan(plan, model, cluster.accelerator));
  return replica_works(model, layers,
                       place_layers(layers, with_dealt_layers(plan, heterogeneous, layers)), times,
                       plan, cluster, profile, heterogeneous);
}

const KindTimes& layer_times(const Model& model, std::span<const LayerWork> layers,
                             KindTimes& times, const Plan& plan, const Cluster& cluster,
                             const KernelProfile& profile) {
  if (times.empty()) timed(layers, times, model, plan, job_hardware(plan, cluster, profile));
  return times;
}

StepWork step_work(const Model& model, std::span<const LayerWork> layers,
                   const PlacedLayers& placed, KindTimes& times, const Plan& plan,
                   const Cluster& cluster, const KernelProfile& profile) {
  return std::move(
      replica_works(model, layers, placed, times, plan, cluster, profile, {}).front().work);
}

StepWork step_work(const Model& model, const Plan& plan, const Cluster& cluster,
                   const KernelProfile& profile, const SlowNode& slow_node) {
  return std::move(replica_works(model, plan, cluster, profile, {.slow = slow_node}).front().work);
}

}  // namespace simulation
}  // namespace tofn
