#include "sim/simulation/plan_gradients.hpp"

#include <algorithm>
#include <limits>

#include "sim/collectives/algorithm.hpp"
#include "sim/kernel/kernel_time.hpp"

namespace tofn {
inline namespace simulation {
namespace {

// Exchanges by the state that ranks shard; the last row gathers parameters.
constexpr std::array all_reduced{SyncStep{.collective = CollectiveKind::AllReduce}};
constexpr std::array sharded{
    SyncStep{.collective = CollectiveKind::ReduceScatter},
    SyncStep{.collective = CollectiveKind::AllGather, .payload = SyncPayload::Parameters}};
constexpr std::array sharded_in_groups{
    SyncStep{.collective = CollectiveKind::ReduceScatter, .group = SyncGroup::Node},
    SyncStep{.collective = CollectiveKind::AllReduce,
             .group = SyncGroup::Between,
             .payload = SyncPayload::Shard},
    SyncStep{.collective = CollectiveKind::AllGather,
             .group = SyncGroup::Node,
             .payload = SyncPayload::Parameters}};

std::array<double, 2> trained(const LayerWork& layer) {
  return {layer.trained(), layer.trained_experts()};
}

}  // namespace

CollectiveCost sync_cost(const SyncStep& sync, Bytes gradients, double parameter_size,
                         const GradientGroups& groups, bool in_network_reduction) {
  Bytes payload = gradients;
  if (sync.payload == SyncPayload::Parameters) payload = parameter_size * gradients;
  if (sync.payload == SyncPayload::Shard) payload = gradients / groups.node.ranks;
  const Communicator& group = sync.group == SyncGroup::Data   ? groups.data
                              : sync.group == SyncGroup::Node ? groups.node
                                                              : groups.between;
  return collective_cost(sync.collective, payload, group, in_network_reduction);
}

PlanGradients::PlanGradients(const Machine& machine, AnsweredCollectives& answered)
    : machine_(machine),
      answered_(answered),
      groups_{machine.communicators.gradients, machine.communicators.expert_gradients},
      reductions_(all_reduced) {
  if (machine.plan.sharded == Sharded::Nothing) return;
  const std::span<const SyncStep> steps =
      shards_in_groups(machine.plan) ? std::span<const SyncStep>(sharded_in_groups) : sharded;
  reductions_ = steps.first(steps.size() - 1);
  parameters_ = &steps.back();
}

void PlanGradients::fill(Contents& bucket, const LayerWork& layer, int count) const {
  const std::array<double, kinds> parameters = trained(layer);
  for (std::size_t i = 0; i < kinds; ++i) {
    if (parameters[i] <= 0) continue;
    const CompressedGradients sent = compress(machine_.plan.compression, layer, parameters[i],
                                              machine_.gradient_bytes(), groups_[i].data.ranks);
    bucket[i].collective = sent.collective;
    bucket[i].payload += count * sent.payload;
    bucket[i].traffic += count * sent.traffic;
  }
}

Seconds PlanGradients::reduce(const Contents& bucket, double collectives) const {
  Seconds time;
  for (std::size_t i = 0; i < kinds; ++i) {
    const CompressedGradients& sent = bucket[i];
    const GradientGroups& groups = groups_[i];
    if (groups.data.ranks <= 1 || sent.payload <= Bytes{}) continue;
    for (SyncStep sync : reductions_) {
      if (machine_.plan.compression != GradientCompression::None) sync.collective = sent.collective;
      time += answered_.time_of(sync_cost(sync, sent.payload / collectives, 1, groups,
                                          groups.data.network.reduces_in_switch));
    }
    if (sent.traffic > Bytes{})
      time += memory_time(sent.traffic / collectives, machine_.accelerator, machine_.profile);
  }
  return collectives * time;
}

Seconds PlanGradients::gather(Bytes dense, Bytes experts, double collectives) const {
  const double parameter_size = machine_.parameter_bytes() / machine_.gradient_bytes();
  Seconds time;
  for (std::size_t i = 0; i < kinds; ++i) {
    const Bytes gradients = i == 0 ? dense : experts;
    const GradientGroups& groups = groups_[i];
    if (groups.data.ranks <= 1 || gradients <= Bytes{}) continue;
    time += answered_.time_of(sync_cost(*parameters_, gradients / collectives, parameter_size,
                                        groups, groups.data.network.reduces_in_switch));
  }
  return collectives * time;
}

std::vector<TrainedLayers> PlanGradients::trained_layers(std::span<const LayerShare> shares,
                                                         std::span<const LayerWork> works) const {
  std::vector<TrainedLayers> trains;
  trains.reserve(shares.size());
  for (const LayerShare& share : shares) {
    const auto [dense, experts] = trained(works[share.layer]);
    trains.push_back({Bytes{(dense + experts) * machine_.gradient_bytes()}, share.count});
  }
  return trains;
}

/// Returns the layer with the collectives that leave during its passes. ZeRO 3 gathers each layer
/// by itself, because it is freed after its pass; frozen parameters too.
LayerTimes PlanGradients::with_collectives(LayerTimes layer, const LayerWork& work, Seconds reduce,
                                           Seconds gather) const {
  layer.backward.reduce = reduce;
  layer.forward.gather = gather;
  const double bytes = machine_.gradient_bytes();
  if (machine_.plan.sharded == Sharded::Parameters)
    layer.forward.gather = layer.backward.gather =
        this->gather(Bytes{bytes * work.parameters}, Bytes{bytes * work.expert_parameters}, 1);
  return layer;
}

/// Bucket size. Gradients that leave after the last pass leave all at once, because no stage waits
/// for another's. With sharded parameters each layer is a bucket (fully_shard of a block,
/// torchtitan).
Bytes PlanGradients::bucket(bool reduces_after) const {
  if (reduces_after) return Bytes{std::numeric_limits<double>::infinity()};
  if (machine_.plan.sharded == Sharded::Parameters) return {};
  const KernelProfile& profile = machine_.profile;
  return std::max(profile.gradient_bucket.value,
                  groups_[0].data.ranks * profile.gradient_bucket_of_a_replica.value);
}

std::vector<LayerTimes> PlanGradients::layers(std::span<const LayerShare> shares,
                                              std::span<const LayerWork> works,
                                              std::span<const LayerTimes> times,
                                              Seconds& after) const {
  const Plan& plan = machine_.plan;
  const bool reduces_after = !plan.data_overlap && !reduces_each_micro_batch(plan);
  std::vector<LayerTimes> found;  // in the order of a backward pass
  std::size_t last_layer = shares.size();
  const auto add = [&](std::size_t i, int count, Seconds reduce, Seconds gather) {
    if (count == 0) return;
    if (i == last_layer && found.back().backward.reduce == reduce) {
      found.back().count += count;
      return;
    }
    const std::size_t layer = shares[i].layer;
    found.push_back(with_collectives(times[layer], works[layer], reduce, gather));
    found.back().count = count;
    last_layer = i;
  };
  Contents filled;
  BucketFilling last;  // last bucket that left
  Seconds reduced;
  Seconds gathered;
  const bool gathers = plan.sharded == Sharded::Optimizer || plan.sharded == Sharded::Gradients;
  fill_buckets(trained_layers(shares, works), bucket(reduces_after),
               [&](const BucketFilling& next) {
                 fill(filled, works[shares[next.layer].layer], next.count);
                 if (!next.leaves || next.bytes <= Bytes{})
                   return add(next.layer, next.count, {}, {});
                 const bool is_alike =
                     next.count == 1 && next.layer == last.layer && next.bytes == last.bytes;
                 if (!is_alike) {
                   reduced = reduce(filled, next.collectives);
                   if (gathers)
                     gathered = gather(filled[0].payload, filled[1].payload, next.collectives);
                 }
                 last = next;
                 filled = {};
                 add(next.layer, next.count - 1, {}, {});
                 add(next.layer, 1, reduces_after ? Seconds{} : reduced,
                     plan.parameter_overlap ? gathered : Seconds{});
                 if (reduces_after) after += reduced;
                 if (!plan.parameter_overlap) after += gathered;
               });
  std::ranges::reverse(found);
  return found;
}

}  // namespace simulation
}  // namespace tofn
