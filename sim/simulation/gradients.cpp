#include "sim/simulation/gradients.hpp"

#include <algorithm>

#include "sim/kernel/kernel_time.hpp"
#include "sim/simulation/compression.hpp"

namespace tofn {
namespace {

/// Where shards lie: over all ranks with the same parameters, or over those in one domain, with an
/// all-reduce of what they hold between domains.
struct Shards {
  Communicator over;
  Communicator between;
};

Shards shards_of(const Communicator& ranks, const Plan& plan) {
  if (!plan.shards_in_domain || ranks.one_domain()) return {.over = ranks, .between = {}};
  return {.over = inside_domain(ranks), .between = between_domains(ranks)};
}

/// Gradients of one layer in a bucket of `bucket` times its own: the share of the bucket's time.
Seconds reduce_time(const LayerWork& layer, double parameters, double bucket,
                    const Communicator& ranks, const Machine& machine) {
  const KernelProfile& profile = machine.profile;
  const Plan& plan = machine.plan;
  if (plan.sharded == Sharded::Nothing) {
    const CompressedGradients sent =
        compress(plan.compression, layer, parameters, profile.gradient_bytes, ranks.ranks);
    Seconds time = collective_time(sent.collective, bucket * sent.payload, ranks) / bucket;
    if (sent.traffic > Bytes{} && ranks.ranks > 1)
      time += memory_time(bucket * sent.traffic, machine.accelerator, profile) / bucket;
    return time;
  }
  const Shards shards = shards_of(ranks, plan);
  const Bytes whole{bucket * parameters * profile.gradient_bytes};
  return (collective_time(CollectiveKind::ReduceScatter, whole, shards.over) +
          collective_time(CollectiveKind::AllReduce, whole / shards.over.ranks, shards.between)) /
         bucket;
}

Seconds gather_time(double parameters, double bucket, const Communicator& ranks,
                    const Machine& machine) {
  const Bytes whole{bucket * parameters * machine.profile.parameter_bytes};
  return collective_time(CollectiveKind::AllGather, whole, shards_of(ranks, machine.plan).over) /
         bucket;
}

/// Layers whose gradients travel together.
double bucket_layers(const LayerWork& layer, double stage_parameters, const Machine& machine) {
  const double own = trained(layer);
  if (own <= 0) return 1;
  const double all = std::max(1.0, stage_parameters / own);
  if (!machine.plan.data_overlap) return all;
  const double bucket = machine.profile.gradient_bucket.value.base();
  return std::clamp(bucket / (own * machine.profile.gradient_bytes), 1.0, all);
}

}  // namespace

double trained(const LayerWork& layer) {
  return (layer.parameters + layer.expert_parameters) * layer.trainable;
}

GradientTimes gradient_times(const LayerWork& layer, double stage_parameters,
                             const Machine& machine) {
  const double bucket = bucket_layers(layer, stage_parameters, machine);
  const Sharded sharded = machine.plan.sharded;
  GradientTimes times;
  const auto add = [&](double parameters, const Communicator& ranks) {
    if (parameters <= 0 || ranks.ranks <= 1) return;
    const double trains = parameters * layer.trainable;
    times.reduce += reduce_time(layer, trains, bucket, ranks, machine);
    if (sharded == Sharded::Parameters)  // each layer's by itself: it is freed after its pass
      times.gather += gather_time(parameters, 1, ranks, machine);
    else if (sharded != Sharded::Nothing)
      times.parameters += gather_time(trains, bucket, ranks, machine);
  };
  add(layer.parameters, machine.communicators.gradients);
  add(layer.expert_parameters, machine.communicators.expert_gradients);
  return times;
}

}  // namespace tofn
