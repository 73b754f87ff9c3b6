#include "sim/simulation/stage_maker.hpp"

#include <algorithm>
#include <optional>

#include "sim/kernel/kernel_time.hpp"

namespace tofn {
inline namespace simulation {
namespace {

/// Amount of `parameters` that one rank updates: all of it, or its shard.
template <class Amount>
Amount own_share(Amount parameters, const GradientGroups& groups, const Plan& plan) {
  if (plan.sharded == Sharded::Nothing) return parameters;
  return parameters / (shards_in_groups(plan) ? groups.node : groups.data).ranks;
}

/// Time of the matrix products of Newton-Schulz steps, in bf16.
Seconds orthogonalisation_time(const TrainedParameters& parameters, const Machine& machine) {
  const Communicators& groups = machine.communicators;
  const Flops once =
      own_share(parameters.orthogonalised, groups.gradients, machine.plan) +
      own_share(parameters.experts_orthogonalised, groups.expert_gradients, machine.plan);
  return product_time(traits_of(machine.plan.optimizer).newton_schulz * once, machine.accelerator,
                      machine.profile);
}

/// Bytes per parameter saved by formats narrower than fp32. Gradients are read or written seven
/// times (`counted` of configs/stacks/megatron.yaml); optimizer state is read and written once.
double spared_bytes(const Plan& plan) {
  const auto spared = [](const std::optional<KeptFormat>& kept) {
    return 4 - bytes_of(kept.value_or(KeptFormat::Fp32));
  };
  return 7 * spared(plan.kept_gradients) + 2 * spared(plan.kept_master) +
         2 * 2 * spared(plan.kept_moments);
}

void add_received_gathers(std::vector<LayerTimes>& chunk, const ReceivedParts& received,
                          const Machine& machine, AnsweredCollectives& answered) {
  constexpr auto tensor = static_cast<std::size_t>(Group::Tensor);
  const auto gather = [&](Bytes whole) {
    return answered.time_of(
        exchange_cost(CollectiveKind::AllGather, whole, machine.communicators.tensor));
  };
  LayerTimes layer{.name = "received activations", .count = 1, .forward = {}, .backward = {}};
  if (received.forward > Bytes{}) {
    layer.forward.exposed[tensor] = gather(received.forward);
    chunk.insert(chunk.begin(), layer);
  }
  if (received.backward > Bytes{}) {
    layer.forward = {};
    layer.backward.exposed[tensor] = gather(received.backward);
    chunk.push_back(layer);
  }
}

void scale(LayerTimes& layer, double factor) {
  for (LayerPass* pass : {&layer.forward, &layer.backward}) {
    for (Seconds* time : {&pass->compute, &pass->attention, &pass->launch, &pass->host,
                          &pass->weight_gradients, &pass->gather, &pass->reduce})
      *time *= factor;
    for (Seconds& time : pass->exposed) time *= factor;
    for (Seconds& time : pass->overlapped) time *= factor;
  }
}

}  // namespace

Seconds optimizer_time(const TrainedParameters& parameters, const Machine& machine) {
  const Communicators& groups = machine.communicators;
  const double own = own_share(parameters.dense, groups.gradients, machine.plan) +
                     own_share(parameters.experts, groups.expert_gradients, machine.plan);
  if (own <= 0) return {};
  const KernelProfile& profile = machine.profile;
  const double update =
      traits_of(machine.plan.optimizer).update_bytes - traits_of(OptimizerKind::AdamW).update_bytes;
  const Bytes moved{own *
                    std::max(0.0, profile.optimizer_bytes + update - spared_bytes(machine.plan))};
  if (!machine.plan.offloads_optimizer)
    return memory_time(moved, machine.accelerator, profile) +
           orthogonalisation_time(parameters, machine);
  const Bytes travelling{own * (machine.gradient_bytes() + machine.parameter_bytes())};
  return moved / profile.host_memory_bandwidth.value +
         travelling / machine.accelerator.host_link.value;
}

StageTimes StageMaker::stage(int index) {
  const Plan& plan = timed_.machine.plan;
  StageTimes result;
  TrainedParameters parameters;
  result.chunks.reserve(static_cast<std::size_t>(plan.chunks_per_stage));
  for (int i = 0; i < plan.chunks_per_stage; ++i) {
    const auto at = static_cast<std::size_t>(virtual_stage(plan, {index, i}));
    for (const LayerShare& share : placed_[at]) {
      const LayerWork& layer = layers_[share.layer];
      parameters.dense += share.count * layer.trained();
      parameters.experts += share.count * layer.trained_experts();
      parameters.orthogonalised += layer.orthogonalised * share.count;
      parameters.experts_orthogonalised += layer.expert_orthogonalised * share.count;
    }
    const Chunk& made = chunk(at);
    result.chunks.push_back(made.times);
    result.parameters += made.parameters;
  }
  result.optimizer = optimizer_time(parameters, timed_.machine);
  return result;
}

const StageMaker::Chunk& StageMaker::chunk(std::size_t virtual_stage) {
  const std::span<const LayerShare> held = placed_[virtual_stage];
  const ReceivedParts received = received_by(virtual_stage);
  const auto known = std::ranges::find_if(chunks_, [&](const Chunk& each) {
    return each.received == received &&
           std::equal(each.held.begin(), each.held.end(), held.begin(), held.end());
  });
  if (known != chunks_.end()) return *known;
  Seconds parameters;
  std::vector<LayerTimes> times = gradients_.layers(held, layers_, timed_.times, parameters);
  add_received_gathers(times, received, timed_.machine, answered_);
  const double factor = timed_.machine.chip_factor();
  for (LayerTimes& layer : times) scale(layer, factor);
  return chunks_.emplace_back(Chunk{held, received, std::move(times), parameters});
}

ReceivedParts StageMaker::received_by(std::size_t virtual_stage) const {
  const Plan& plan = timed_.machine.plan;
  ReceivedParts received;
  if (plan.sequence_parallel || plan.tensor_parallel_size == 1) return received;
  const auto sent = [&](std::size_t sender) {
    const bool is_sent = link_after(plan, static_cast<int>(sender)).has_value();
    return is_sent ? layers_[placed_[sender].back().layer].boundary : Bytes{};
  };
  if (virtual_stage > 0) received.forward = sent(virtual_stage - 1);
  if (virtual_stage + 1 < placed_.size()) received.backward = sent(virtual_stage);
  return received;
}

}  // namespace simulation
}  // namespace tofn
