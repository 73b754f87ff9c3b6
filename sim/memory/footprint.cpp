#include "sim/memory/footprint.hpp"

#include <algorithm>

#include "sim/model/stages.hpp"

namespace tofn {
inline namespace memory {
namespace {

/// The layers of one chunk and the micro-batches that it has in flight.
struct Chunk {
  std::span<const LayerShare> shares;
  int in_flight = 1;
};

struct Stage {
  std::span<const LayerWork> layers;
  std::span<const Bytes> workspaces;  ///< of those
  std::vector<Chunk> chunks;

  template <class Each>
  void for_each(Each&& each) const {
    for (const Chunk& chunk : chunks)
      for (const LayerShare& share : chunk.shares)
        each(layers[share.layer], share.count, chunk.in_flight);
  }
  /// Beside `freed` too, which is no longer kept when the layers before the last run backward.
  Bytes largest_workspace(Bytes freed) const {
    Bytes largest;
    for (const Chunk& chunk : chunks)
      for (const LayerShare& share : chunk.shares) {
        const bool is_last = layers[share.layer].place == StagePlace::Last;
        largest = std::max(largest, workspaces[share.layer] - (is_last ? Bytes{} : freed));
      }
    return largest;
  }
  /// Weights of a layer of the body, of those that train.
  double largest_layer() const {
    double largest = 0;
    for_each([&](const LayerWork& layer, int, int) {
      if (layer.place == StagePlace::Spread) largest = std::max(largest, layer.trained());
    });
    return largest;
  }
};

/// By how many each kind of state is divided; experts' by fewer.
struct Shards {
  double parameters = 1;
  double gradients = 1;
  double optimizer = 1;
};

double ranks_of_shards(const Plan& plan, int holders, int stride, int domain) {
  if (!plan.shards_in_domain) return holders;
  return std::clamp(domain / stride, 1, holders);
}

Shards shards_of(const Plan& plan, int holders, int stride, int domain) {
  const double ranks = ranks_of_shards(plan, holders, stride, domain);
  return {.parameters = plan.sharded >= Sharded::Parameters ? ranks : 1,
          .gradients = reduces_each_micro_batch(plan) ? ranks : 1,
          .optimizer = plan.sharded >= Sharded::Optimizer ? ranks : 1};
}

/// Top-k and PowerSGD add what they left out to the next gradients (error feedback: arXiv
/// 1712.01887, 1905.13727).
bool keeps_residuals(GradientCompression compression) {
  return compression == GradientCompression::TopK || compression == GradientCompression::PowerSgd;
}

void add_state(Footprint& sum, double parameters, double trained, const Shards& shards,
               const Plan& plan, const StateBytes& bytes) {
  const double kept = keeps_residuals(plan.compression) ? 2 : 1;
  sum.parameters += Bytes{parameters * bytes.parameters / shards.parameters};
  sum.gradients += Bytes{kept * trained * bytes.gradients / shards.gradients};
  (plan.offloads_optimizer ? sum.host : sum.optimizer) +=
      Bytes{trained * bytes.optimizer / shards.optimizer};
}

void add_states(Footprint& sum, const Stage& stage, const Plan& plan,
                const MemoryProfile& profile) {
  const RankSet holders = gradient_ranks(plan);
  const int domain = profile.domain_accelerators;
  const Shards shards = shards_of(plan, holders.count, holders.stride, domain);
  const RankSet expert_holders = expert_gradient_ranks(plan);
  const Shards expert_shards = shards_of(plan, expert_holders.count, expert_holders.stride, domain);
  stage.for_each([&](const LayerWork& layer, int count, int) {
    StateBytes bytes = profile.state;
    if (!reduces_each_micro_batch(plan))
      bytes.gradients = std::min(bytes.gradients, profile.gradient_bytes);
    bytes.optimizer =
        optimizer_bytes(profile.state, plan.optimizer, layer.orthogonalised > Flops{});
    add_state(sum, count * layer.parameters, count * layer.trained(), shards, plan, bytes);
    add_state(sum, count * layer.expert_parameters, count * layer.trained_experts(), expert_shards,
              plan, bytes);
  });
}

void add_activations(Footprint& sum, const Stage& stage) {
  stage.for_each([&](const LayerWork& layer, int count, int in_flight) {
    Bytes& part = layer.place == StagePlace::Last ? sum.logits : sum.activations;
    part += layer.activations * count * in_flight;
  });
}

/// The largest layer whole, twice where the next one's traffic overlaps its passes.
Bytes gathered_bytes(const Stage& stage, const Plan& plan, const StateBytes& bytes) {
  const bool is_gathered = plan.sharded == Sharded::Parameters;
  const bool is_reduced = reduces_each_micro_batch(plan);
  Bytes largest;
  stage.for_each([&](const LayerWork& layer, int, int) {
    const double parameters = layer.parameters + layer.expert_parameters;
    largest = std::max(largest, Bytes{parameters * (is_gathered ? bytes.parameters : 0) +
                                      (layer.trained() + layer.trained_experts()) *
                                          (is_reduced ? bytes.gradients : 0)});
  });
  return largest * (plan.data_overlap ? 2 : 1);
}

int communicators(const Plan& plan) {
  int groups = plan.shards_in_domain ? 1 : 0;  // between the domains
  for (const int size :
       {plan.tensor_parallel_size, plan.context_parallel_size, plan.expert_parallel_size,
        plan.pipeline_parallel_size, gradient_ranks(plan).count})
    if (size > 1) ++groups;
  return groups;
}

Footprint footprint(const Stage& stage, const Plan& plan, const MemoryProfile& profile) {
  Footprint sum;
  add_states(sum, stage, plan, profile);
  add_activations(sum, stage);
  sum.gathered = gathered_bytes(stage, plan, profile.state);
  sum.workspace = stage.largest_workspace(sum.logits);
  if (profile.keeps_layer_gradients) sum.workspace += Bytes{2 * stage.largest_layer()};
  sum.fragmentation =
      (sum.activations + sum.logits + sum.gathered + sum.workspace) * profile.fragmentation;
  sum.communicators = profile.communicator * communicators(plan);
  sum.context = profile.context;
  return sum;
}

}  // namespace

Bytes Footprint::total(MemoryReading reading) const {
  Bytes sum;
  for (const FootprintPart& part : footprint_parts)
    if (part.first <= reading) sum += this->*part.bytes;
  return sum;
}

std::vector<Footprint> footprints(std::span<const LayerWork> layers, const Plan& plan,
                                  const MemoryProfile& profile) {
  const PlacedLayers placed = place_layers(layers, plan);
  std::vector<Bytes> workspaces;
  workspaces.reserve(layers.size());
  for (const LayerWork& layer : layers) workspaces.push_back(workspace_of(layer));
  std::vector<Footprint> sums;
  sums.reserve(static_cast<std::size_t>(plan.pipeline_parallel_size));
  for (int stage = 0; stage < plan.pipeline_parallel_size; ++stage) {
    Stage held{.layers = layers, .workspaces = workspaces, .chunks = {}};
    held.chunks.reserve(static_cast<std::size_t>(plan.chunks_per_stage));
    for (int chunk = 0; chunk < plan.chunks_per_stage; ++chunk) {
      const auto index = static_cast<std::size_t>(virtual_stage(plan, {stage, chunk}));
      held.chunks.push_back(
          {.shares = placed[index], .in_flight = micro_batches_in_flight(plan, stage, chunk)});
    }
    sums.push_back(footprint(held, plan, profile));
  }
  return sums;
}

Footprint largest_footprint(std::span<const LayerWork> layers, const Plan& plan,
                            const MemoryProfile& profile, MemoryReading reading) {
  const auto sums = footprints(layers, plan, profile);
  return *std::max_element(sums.begin(), sums.end(), [=](const auto& a, const auto& b) {
    return a.total(reading) < b.total(reading);
  });
}

}  // namespace memory
}  // namespace tofn
