#include "sim/memory/footprint.hpp"

#include <algorithm>
#include <optional>

namespace tofn {
inline namespace memory {
namespace {

/// Layers of one chunk, and the number of its micro-batches in flight.
struct Chunk {
  std::span<const LayerShare> shares;
  int in_flight = 1;
};

struct Stage {
  std::span<const LayerWork> layers;
  std::span<const Bytes> workspaces;  ///< by layer
  std::vector<Chunk> chunks;

  template <class Each>
  void for_each(Each&& each) const {
    for (const Chunk& chunk : chunks)
      for (const LayerShare& share : chunk.shares)
        each(layers[share.layer], share.count, chunk.in_flight);
  }
  /// Trainable weights of the largest layer of the body.
  double largest_layer() const {
    double largest = 0;
    for_each([&](const LayerWork& layer, int, int) {
      if (layer.place == StagePlace::Spread) largest = std::max(largest, layer.trained());
    });
    return largest;
  }
};

/// Number of ranks that share each kind of state; experts' state has fewer.
struct Shards {
  double parameters = 1;
  double gradients = 1;
  double optimizer = 1;
};

Shards shards_of(const Plan& plan, RankSet holders, int domain) {
  const double ranks = sharing_ranks(plan, holders, domain);
  return {.parameters = plan.sharded >= Sharded::Parameters ? ranks : 1,
          .gradients = reduces_each_micro_batch(plan) ? ranks : 1,
          .optimizer = plan.sharded >= Sharded::Optimizer ? ranks : 1};
}

/// True if values left out are added to the next gradients, as top-k and PowerSGD do (error
/// feedback: arXiv 1712.01887, 1905.13727).
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
  const int domain = profile.domain_accelerators;
  const Shards shards = shards_of(plan, gradient_ranks(plan), domain);
  const Shards expert_shards = shards_of(plan, expert_gradient_ranks(plan), domain);
  stage.for_each([&](const LayerWork& layer, int count, int) {
    StateBytes bytes = profile.state;
    if (!plan.kept_gradients && !reduces_each_micro_batch(plan))
      bytes.gradients = std::min(bytes.gradients, profile.gradient_bytes);
    bytes.optimizer =
        optimizer_bytes(profile.state, plan.optimizer, layer.orthogonalised > Flops{});
    add_state(sum, count * layer.parameters, count * layer.trained(), shards, plan, bytes);
    add_state(sum, count * layer.expert_parameters, count * layer.trained_experts(), expert_shards,
              plan, bytes);
  });
}

void add_activations(Footprint& sum, const Stage& stage, const Plan& plan) {
  Bytes largest;  // of one layer
  stage.for_each([&](const LayerWork& layer, int count, int in_flight) {
    const bool is_last = layer.place == StagePlace::Last;
    (is_last ? sum.logits : sum.activations) += layer.activations * count * in_flight;
    if (!is_last) largest = std::max(largest, layer.activations);
  });
  if (shape_of(plan).pairs && plan.gradient_accumulation > 1) sum.activations += largest;
}

/// The backward step of one layer, with the layer before it, which runs next, and the layer behind
/// it, which is done.
struct BackwardStep {
  const LayerWork& layer;
  const LayerWork* before;
  const LayerWork* behind;
};

double all_trained(const LayerWork& layer) { return layer.trained() + layer.trained_experts(); }

/// Bytes of whole layers that ranks otherwise shard, as FSDP 2 keeps them
/// (github.com/pytorch/pytorch, torch/distributed/fsdp/_fully_shard/_fsdp_param_group.py):
/// parameters of the layer; of the layer before it, gathered meanwhile, parameters and the flat
/// buffer that they are copied from; gradients of the layer and the flat buffer that they are
/// reduced from, and the flat buffer of the layer behind, which is still being reduced. The loss
/// runs before gradients exist.
Bytes gathered_bytes(const BackwardStep& step, const Plan& plan, const MemoryProfile& profile) {
  const auto whole = [](const LayerWork* layer) {
    return layer == nullptr ? 0 : layer->parameters + layer->expert_parameters;
  };
  const double ahead = plan.data_overlap ? 1 : 0;
  double bytes = 0;
  if (plan.sharded == Sharded::Parameters)
    bytes += profile.state.gathered * (whole(&step.layer) + 2 * ahead * whole(step.before));
  if (reduces_each_micro_batch(plan) && step.layer.place != StagePlace::Last) {
    bytes += (profile.state.gathered + profile.gradient_bytes) * all_trained(step.layer);
    if (step.behind != nullptr) bytes += ahead * profile.gradient_bytes * all_trained(*step.behind);
  }
  return Bytes{bytes};
}

/// Calls `each` for the backward steps of a chunk. Of equal layers only two count: the first to run
/// backward, and one between equal ones.
template <class Each>
void for_each_backward_step(const Stage& stage, const Chunk& chunk, const Each& each) {
  const auto layer_at = [&](std::size_t i) {
    return i < chunk.shares.size() ? &stage.layers[chunk.shares[i].layer] : nullptr;
  };
  for (std::size_t i = 0; i < chunk.shares.size(); ++i) {
    const LayerWork* own = layer_at(i);
    const bool has_equals = chunk.shares[i].count > 1;
    const LayerWork* before = has_equals ? own : layer_at(i - 1);
    each(BackwardStep{*own, before, layer_at(i + 1)}, stage.workspaces[chunk.shares[i].layer]);
    if (has_equals) each(BackwardStep{*own, before, own}, stage.workspaces[chunk.shares[i].layer]);
  }
}

Bytes activations_of_one(const Stage& stage, const Chunk& chunk) {
  Bytes sum;
  for (const LayerShare& share : chunk.shares)
    if (stage.layers[share.layer].place != StagePlace::Last)
      sum += stage.layers[share.layer].activations * share.count;
  return sum;
}

double trained_of(const Stage& stage) {
  double sum = 0;
  stage.for_each(
      [&](const LayerWork& layer, int count, int) { sum += count * all_trained(layer); });
  return sum;
}

/// Share of all gradients that does not exist yet at that backward step, if gradients grow during
/// the only backward pass of a training step.
double share_to_come(const BackwardStep& step, const Stage& stage) {
  if (step.layer.place == StagePlace::First) return 0;
  if (step.layer.place == StagePlace::Last) return 1;
  const LayerWork* last = step.behind;  // only the first body layer to run backward counts
  const bool is_behind = last != nullptr && last->place == StagePlace::Last;
  return 1 - (is_behind ? all_trained(*last) / trained_of(stage) : 0);
}

/// Adds the memory of the largest backward step. Logits are freed before the layers ahead of the
/// last run backward, and all activations before the first layer does.
void add_largest_backward_step(Footprint& sum, const Stage& stage, const Plan& plan,
                               const MemoryProfile& profile) {
  const bool grow =
      profile.gradients_grow && plan.gradient_accumulation == 1 && plan.pipeline_parallel_size == 1;
  const Footprint kept_by_all = sum;
  // Gradients that are kept until the step ends are also there between two backward steps.
  std::optional<Bytes> most;
  if (!grow) most = Bytes{};
  for (const Chunk& chunk : stage.chunks) {
    const Bytes kept = activations_of_one(stage, chunk);
    for_each_backward_step(stage, chunk, [&](const BackwardStep& step, Bytes workspace) {
      if (step.layer.place != StagePlace::Last) workspace -= kept_by_all.logits;
      if (step.layer.place == StagePlace::First) workspace -= kept;
      const Bytes to_come = grow ? kept_by_all.gradients * share_to_come(step, stage) : Bytes{};
      const Bytes gathered = gathered_bytes(step, plan, profile);
      const Bytes beside = gathered + workspace;
      if (most && beside - to_come <= *most) return;
      most = beside - to_come;
      sum = kept_by_all;
      sum.gradients -= to_come;
      sum.gathered = std::clamp(beside, Bytes{}, gathered);
      sum.workspace = std::max(workspace, Bytes{});
      const Bytes gone = std::max(-beside, Bytes{});  // freed bytes beyond those that replace them
      sum.activations -= std::min(gone, sum.activations);
      sum.logits -= std::max(gone - kept_by_all.activations, Bytes{});
    });
  }
}

int communicators(const Plan& plan) {
  int groups = shards_in_groups(plan) ? 1 : 0;  // group of the copies
  for (const int size :
       {plan.tensor_parallel_size, plan.context_parallel_size, plan.expert_parallel_size,
        plan.pipeline_parallel_size, gradient_ranks(plan).count})
    if (size > 1) ++groups;
  return groups;
}

Footprint footprint(const Stage& stage, const Plan& plan, const MemoryProfile& profile) {
  Footprint sum;
  add_states(sum, stage, plan, profile);
  add_activations(sum, stage, plan);
  add_largest_backward_step(sum, stage, plan, profile);
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

void visit_footprints(std::span<const LayerWork> layers, const PlacedLayers& placed,
                      const Plan& plan, const MemoryProfile& profile,
                      const std::function<bool(const Footprint&)>& visit) {
  std::vector<Bytes> workspaces;
  workspaces.reserve(layers.size());
  for (const LayerWork& layer : layers) workspaces.push_back(workspace_of(layer));
  for (int stage = 0; stage < plan.pipeline_parallel_size; ++stage) {
    Stage held{.layers = layers, .workspaces = workspaces, .chunks = {}};
    held.chunks.reserve(static_cast<std::size_t>(plan.chunks_per_stage));
    for (int chunk = 0; chunk < plan.chunks_per_stage; ++chunk) {
      const auto index = static_cast<std::size_t>(virtual_stage(plan, {stage, chunk}));
      held.chunks.push_back(
          {.shares = placed[index], .in_flight = micro_batches_in_flight(plan, stage, chunk)});
    }
    if (!visit(footprint(held, plan, profile))) return;
  }
}

std::vector<Footprint> footprints(std::span<const LayerWork> layers, const Plan& plan,
                                  const MemoryProfile& profile) {
  std::vector<Footprint> stages;
  stages.reserve(static_cast<std::size_t>(plan.pipeline_parallel_size));
  visit_footprints(layers, place_layers(layers, plan), plan, profile, [&](const Footprint& stage) {
    stages.push_back(stage);
    return true;
  });
  return stages;
}

Footprint largest_footprint(std::span<const LayerWork> layers, const Plan& plan,
                            const MemoryProfile& profile, MemoryReading reading) {
  const auto stages = footprints(layers, plan, profile);
  return *std::ranges::max_element(
      stages, [=](const auto& a, const auto& b) { return a.total(reading) < b.total(reading); });
}

}  // namespace memory
}  // namespace tofn
