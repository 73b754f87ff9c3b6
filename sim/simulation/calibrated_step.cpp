#include "sim/simulation/calibrated_step.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/collectives/algorithm.hpp"
#include "sim/core/error.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/parallelism/placed_plan.hpp"
#include "sim/simulation/layer_pass.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/simulation/step_source.hpp"
#include "sim/timeline/forward_pass.hpp"
#include "sim/timeline/pass.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace simulation {
namespace {

Communicator perturbed(const Communicator& placed, const StepPerturbation& by) {
  Communicator c = with_scaled_links(placed, by.latency, by.bandwidth);
  c.measured_deviation = -std::log(by.bandwidth) / StepSpreads{}.bandwidth;
  return c;
}

constexpr std::size_t index_of(StepPart part) { return static_cast<std::size_t>(part); }
constexpr std::size_t tensor_exchange = 0;

}  // namespace

CalibratedStep::CalibratedStep(const Workload& workload, const Cluster& cluster, const Plan& plan,
                               const RunSettings& settings, const ComputeProfile& profile)
    : workload_(workload),
      cluster_(cluster),
      plan_(plan),
      settings_(settings),
      profile_(profile),
      whole_{.work = total_work(workload), .gradients = {}},
      tensor_overlap_(settings.tensor_overlap.value_or(true)),
      overlap_gradients_(settings.overlap_gradient_reduction.value_or(false)),
      in_network_reduction_(settings.in_network_reduction.value_or(false)) {
  require_calibrated_plan(plan);
  if (plan.tensor_parallel_size > 1 && !workload.tensor_parallel)
    throw InputError(fmt::format("workload {} does not describe tensor parallelism (tp = {})",
                                 workload.name, plan.tensor_parallel_size));
  if (plan.context_parallel_size > 1 && !workload.context_parallel)
    throw InputError(fmt::format("workload {} does not describe context parallelism (cp = {})",
                                 workload.name, plan.context_parallel_size));
  links_ = place_links(plan, cluster);
  slices_ = slices();
  const LayerTimes layer{.name = workload.name, .count = 1, .forward = {}, .backward = {}};
  work_.stages = {{ChunkTimes{std::vector<LayerTimes>(slices_.size(), layer)}}};
  work_.micro_batches = plan.gradient_accumulation;
  work_.slowdown = uniform_slowdown(default_overlap_slowdown);
  work_.slowdown.tensor = profile.overlap_loss;
  work_.after = {Seconds{}};
  work_.optimizer = {optimizer_time()};
  work_.rank_noise = profile.node_spread;
  work_.replicas = independent_replicas(plan, cluster);
  work_.bases = bases();
  const std::size_t requested = 2 + workload.gradients.synchronisation.size();
  work_.answered.reserve(2 * requested);  // in the network's switches, and not
  forward_work_ = work_;
  forward_work_.stages = {{ChunkTimes{{layer}}}};
}

CalibratedStep::Links CalibratedStep::place_links(const Plan& plan, const Cluster& cluster) {
  const PlacedJob job = placed_job(plan, cluster);
  const auto placed = [&](RankSet set) { return place(set, cluster, job); };
  const RankSet data = gradient_ranks(plan);
  Links links{.tensor = placed(tensor_ranks(plan)),
              .context = placed(context_ranks(plan)),
              .gradients = groups_by_domain(placed(data))};
  const int per_node = cluster.accelerators_per_node.value;
  if (per_node == cluster.scale_up.domain_accelerators.value) return links;
  const int inside = std::clamp(per_node / data.stride, 1, data.count);
  links.gradients.node = placed({.stride = data.stride, .count = inside});
  links.gradients.between = placed({.stride = data.stride * inside, .count = data.count / inside});
  return links;
}

Bytes CalibratedStep::gradients() const {
  return Bytes{workload_.gradients.bytes_per_parameter.value * workload_.trainable_parameters /
               plan_.tensor_parallel_size};
}

/// Splits the layers into slices that fill a bucket each; a single slice if nothing overlaps.
std::vector<CalibratedStep::Slice> CalibratedStep::slices() const {
  const Gradients& protocol = workload_.gradients;
  const auto& steps = protocol.synchronisation;
  const bool overlaps =
      std::ranges::any_of(steps, [&](const SyncStep& sync) { return overlaps_backward(sync); });
  if (!overlaps || links_.gradients.data.ranks == 1) return {whole_};
  const Bytes bucket = overlap_gradients_ && protocol.overlapped_bucket
                           ? *protocol.overlapped_bucket
                           : protocol.bucket;
  std::vector<TrainedLayers> layers;
  for (const Layer& layer : workload_.layers)
    layers.push_back(
        {layer.trainable_parameters / workload_.trainable_parameters * gradients(), layer.count});
  std::vector<Slice> found(1);
  fill_buckets(layers, bucket, [&](const BucketFilling& next) {
    add(found.back().work, workload_.layers[next.layer], next.count);
    if (!next.leaves) return;
    found.back().gradients = next.bytes;
    found.back().collectives = next.collectives;
    found.emplace_back();
  });
  found.pop_back();  // the last layer closed its slice
  std::ranges::reverse(found);
  return found;
}

PartBases CalibratedStep::bases() const {
  PartBases bases = uniform_bases(Basis::Formula);
  bases[index_of(StepPart::Compute)] = profile_.basis;
  bases[index_of(StepPart::Launch)] = profile_.overhead_basis;
  bases[index_of(StepPart::Tensor)] = links_.tensor.basis;
  bases[index_of(StepPart::Context)] = links_.context.basis;
  // Assumed: the spread was measured between vendors' servers, not between nodes of one job.
  bases[index_of(StepPart::Imbalance)] = Basis::Assumed;
  if (workload_.optimizer.bytes_per_parameter.is_assumed())
    bases[index_of(StepPart::Optimizer)] = Basis::Assumed;
  return bases;
}

CalibratedStep::Links CalibratedStep::scaled_links(const StepPerturbation& by) const {
  return {perturbed(links_.tensor, by),
          perturbed(links_.context, by),
          {perturbed(links_.gradients.data, by), perturbed(links_.gradients.node, by),
           perturbed(links_.gradients.between, by)}};
}

/// Sets both passes over the layers of a slice. Ring attention sends keys and values cp-1 times in
/// the forward pass, and again with their gradients in the backward pass. Each hop overlaps the
/// attention of one of cp blocks.
void CalibratedStep::set_passes(LayerTimes& layer, const Slice& slice, double samples,
                                const Links& links, const StepPerturbation& by) const {
  const WorkTotals& work = slice.work;
  const double lengthened = plan_.context_parallel_size > 1 ? 1 + profile_.context_loss : 1;
  const double share =
      samples / plan_.model_parallel_size() * by.arithmetic * lengthened / profile_.efficiency;
  // Shares of this slice in the operators, layers and attention of the whole pass.
  const double operators = whole_.work.forward_operators + whole_.work.backward_operators;
  const double even = 0.5 / static_cast<double>(slices_.size());
  const double forward = operators > 0 ? work.forward_operators / operators : even;
  const double backward = operators > 0 ? work.backward_operators / operators : even;
  const auto share_of = [](Flops part, Flops whole) {
    return whole > Flops{} ? part / whole : 0.0;
  };
  const double of_layers = share_of(work.matmul_forward, whole_.work.matmul_forward);
  const double of_attention = share_of(work.attention_forward, whole_.work.attention_forward);
  const double hops = links.context.ranks - 1.0;
  const auto set = [&](LayerPass& pass, Flops matmul, Flops attention, double overhead) {
    pass = {};
    const Seconds attending =
        share * ideal_time(Flops{}, attention, cluster_.accelerator, profile_.precision);
    pass.compute =
        attending + share * ideal_time(matmul, Flops{}, cluster_.accelerator, profile_.precision);
    pass.attention = attending * (hops / links.context.ranks);
    pass.launch = overhead * by.overhead * profile_.overhead;
    pass.host = overhead * by.overhead * profile_.host;  // kernels run while the host launches
  };
  set(layer.forward, work.matmul_forward, work.attention_forward, forward);
  set(layer.backward, work.matmul_backward, work.attention_backward, backward);
  if (links.tensor.ranks > 1) {
    const TensorParallelTraffic& traffic = *workload_.tensor_parallel;
    const Bytes payload = traffic.payload.value * (samples / plan_.context_parallel_size);
    const Seconds each =
        of_layers * traffic.layers.value *
        work_.answered.time_of(collective_cost(CollectiveKind::AllGather, payload, links.tensor,
                                               in_network_reduction_));
    const double first = tensor_overlap_ ? first_chunk(links.tensor) : 1;
    const auto add = [&](LayerPass& pass, int collectives) {
      pass.exposed[tensor_exchange] = first * collectives * each;
      pass.overlapped[tensor_exchange] = (1 - first) * collectives * each;
    };
    add(layer.forward, traffic.forward_collectives.value);
    add(layer.backward, traffic.backward_collectives.value);
  }
  if (links.context.ranks > 1) {
    const ContextParallelTraffic& traffic = *workload_.context_parallel;
    const Bytes block =
        traffic.payload.value * (samples / plan_.tensor_parallel_size / links.context.ranks);
    const Seconds hop = work_.answered.time_of(
        collective_cost(CollectiveKind::SendReceive, block, links.context, false));
    const double part = whole_.work.attention_forward > Flops{} ? of_attention : of_layers;
    layer.forward.overlapped[ring_exchange] = part * hops * traffic.layers.value * hop;
    layer.backward.overlapped[ring_exchange] = 2 * layer.forward.overlapped[ring_exchange];
  }
}

bool CalibratedStep::overlaps_backward(const SyncStep& sync) const {
  return sync.overlaps == Overlap::Backward ||
         (overlap_gradients_ && sync.payload == SyncPayload::Gradients);
}

/// Overlapped gradients leave bucket by bucket; the others follow the passes.
void CalibratedStep::set_gradients(const Links& links) const {
  const Gradients& protocol = workload_.gradients;
  const double parameter_size =
      protocol.parameters_bytes_per_parameter.value / protocol.bytes_per_parameter.value;
  const auto cost = [&](const SyncStep& sync, Bytes leaving) -> Cost {
    const CollectiveCost each =
        sync_cost(sync, leaving, parameter_size, links.gradients, in_network_reduction_);
    work_.answered.add(each.collective);
    return each;
  };
  const bool one_node = links.gradients.between.ranks <= 1;
  std::vector<LayerTimes>& layers = work_.stages.front().front().own_layers();
  Cost exposed;
  Basis basis = exposed.basis;
  for (LayerTimes& layer : layers) layer.backward.reduce = {};
  for (const SyncStep& sync : protocol.synchronisation) {
    if (sync.when == SyncWhen::OneNode && !one_node) continue;
    if (sync.when == SyncWhen::ManyNodes && one_node) continue;
    if (!overlaps_backward(sync)) {
      exposed += cost(sync, gradients());
      continue;
    }
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const Slice& slice = slices_[i];
      if (slice.gradients <= Bytes{}) continue;
      const Cost each = cost(sync, slice.gradients / slice.collectives);
      layers[i].backward.reduce += slice.collectives * each.time;
      basis = weakest(basis, each.basis);
    }
  }
  work_.after.front() = exposed.time;
  work_.bases[index_of(StepPart::Data)] = weakest(basis, exposed.basis);
}

Seconds CalibratedStep::optimizer_time() const {
  const Optimizer& optimizer = workload_.optimizer;
  const GradientGroups& groups = links_.gradients;
  const int shards = optimizer.sharded_over == Sharding::Data   ? groups.data.ranks
                     : optimizer.sharded_over == Sharding::Node ? groups.node.ranks
                                                                : 1;
  const Bytes moved{optimizer.bytes_per_parameter.value * workload_.trainable_parameters /
                    plan_.tensor_parallel_size / shards};
  return moved / (default_memory_efficiency * cluster_.accelerator.memory_bandwidth.value);
}

const StepWork& CalibratedStep::work(const StepPerturbation& by) const {
  if (by.latency != 1 || by.bandwidth != 1) return work(scaled_links(by), by);
  return work(links_, by);  // sweeps take only this path, and call it often
}

const StepWork& CalibratedStep::work(const Links& links, const StepPerturbation& by) const {
  std::vector<LayerTimes>& layers = work_.stages.front().front().own_layers();
  for (std::size_t i = 0; i < layers.size(); ++i)
    set_passes(layers[i], slices_[i], plan_.micro_batch, links, by);
  set_gradients(links);
  return work_;
}

StepTimes CalibratedStep::times(const StepPerturbation& by) const {
  const StepTimes times = closed_form(work(by));
  return by.stack == 1 ? times : scaled(times, by.stack);
}

Seconds CalibratedStep::forward_pass(double samples, double passes,
                                     const StepPerturbation& by) const {
  LayerTimes& layer = forward_work_.stages.front().front().own_layers().front();
  set_passes(layer, whole_, samples, scaled_links(by), by);
  return timeline::forward_pass(forward_work_).of(passes) / passes;
}

SampleWork CalibratedStep::sample_work() const {
  return {.model = whole_.work.total(),
          .hardware = {},
          .recomputed = {},
          .forward = whole_.work.matmul_forward + whole_.work.attention_forward,
          .active_parameters = workload_.parameters};
}

FlopsPerSecond CalibratedStep::peak() const {
  return cluster_.accelerator.peak_at(profile_.precision.matmul);
}

std::shared_ptr<const StepSource> CalibratedStep::on(const Cluster& cluster,
                                                     const KernelProfile&) const {
  return std::make_shared<CalibratedStep>(workload_, cluster, plan_, settings_, profile_);
}

StepSpreads CalibratedStep::spreads() const {
  return {.arithmetic = profile_.efficiency_spread,
          .memory = 0,  // measured steps hold it in the other two
          .overhead = profile_.overhead_spread,
          .stack = profile_.step_spread / student_tail};
}

}  // namespace simulation
}  // namespace tofn
