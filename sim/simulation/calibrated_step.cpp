#include "sim/simulation/calibrated_step.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "sim/collectives/algorithm.hpp"
#include "sim/core/error.hpp"
#include "sim/simulation/simulation.hpp"
#include "sim/timeline/pass.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
namespace {

Communicator perturbed(const Communicator& placed, const StepPerturbation& by) {
  Communicator c = with_scaled_links(placed, by.latency, by.bandwidth);
  c.measured_deviation = -std::log(by.bandwidth) / bandwidth_spread;
  return c;
}

constexpr std::size_t index_of(StepPart part) { return static_cast<std::size_t>(part); }
constexpr std::size_t tensor_exchange = 0;

}  // namespace

void require_calibrated_plan(const Plan& plan) {
  const std::pair<bool, std::string_view> asked_for[] = {
      {plan.pipeline_parallel_size > 1, "a pipeline (pp > 1)"},
      {plan.chunks_per_stage > 1, "interleaved stages"},
      {plan.schedule != Plan{}.schedule, "another pipeline schedule"},
      {plan.expert_parallel_size > 1, "expert parallelism (ep > 1)"},
      {plan.sequence_parallel, "sequence parallelism"},
      {plan.context_exchange != ContextExchange::Ring, "all-gathered keys and values"},
      {plan.recompute != Recompute::None, "recomputation"},
      {plan.sharded != Sharded::Nothing || plan.shards_in_domain, "sharded state"},
      {plan.offloads_optimizer, "an offloaded optimizer"},
      {plan.compression != GradientCompression::None, "gradient compression"}};
  for (const auto& [is_asked, what] : asked_for)
    if (is_asked)
      throw InputError(fmt::format(
          "the plan has {}, which predictions from measured runs do not know; `tofn step` "
          "simulates it",
          what));
}

CalibratedStep::CalibratedStep(const Workload& workload, const Cluster& cluster, const Plan& plan,
                               const RunSettings& settings, const ComputeProfile& profile)
    : workload_(workload),
      cluster_(cluster),
      plan_(plan),
      profile_(profile),
      whole_{.work = total_work(workload), .share = 1},
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
  work_.slowdown.tensor = profile.overlap_loss;
  work_.after = {Seconds{}};
  work_.optimizer = {optimizer_time()};
  work_.rank_noise = profile.node_spread;
  work_.replicas = independent_replicas(plan, cluster);
  work_.bases = bases();
}

CalibratedStep::Links CalibratedStep::place_links(const Plan& plan, const Cluster& cluster) {
  const auto placed = [&](RankSet set) { return place(set, cluster, plan.accelerators()); };
  const RankSet data = gradient_ranks(plan);
  Links links{.tensor = placed(tensor_ranks(plan)),
              .context = placed(context_ranks(plan)),
              .data = placed(data),
              .node = {},
              .between = {}};
  const int per_node = cluster.accelerators_per_node.value;
  if (per_node == cluster.scale_up.domain_accelerators.value) {
    links.node = inside_domain(links.data);
    links.between = between_domains(links.data);
    return links;
  }
  const int inside = std::clamp(per_node / data.stride, 1, data.count);
  links.node = placed({.stride = data.stride, .count = inside});
  links.between = placed({.stride = data.stride * inside, .count = data.count / inside});
  return links;
}

Bytes CalibratedStep::gradients() const {
  return Bytes{workload_.gradients.bytes_per_parameter.value * workload_.trainable_parameters /
               plan_.tensor_parallel_size};
}

namespace {

void add(WorkTotals& sum, const Layer& layer, double count) {
  const bool is_attention = layer.arithmetic == Arithmetic::Attention;
  (is_attention ? sum.attention_forward : sum.matmul_forward) += count * layer.forward.value;
  (is_attention ? sum.attention_backward : sum.matmul_backward) += count * layer.backward.value;
  sum.attention_forward += count * layer.attention_forward;
  sum.attention_backward += count * layer.attention_backward;
  sum.forward_operators += count * layer.forward_operators;
  sum.backward_operators += count * layer.backward_operators;
}

}  // namespace

/// Buckets fill in the order in which the backward pass makes gradients, by whole layers; a bucket
/// leaves when its last layer is done. Where nothing overlaps all layers are one slice.
std::vector<CalibratedStep::Slice> CalibratedStep::slices() const {
  const Gradients& protocol = workload_.gradients;
  const auto& steps = protocol.synchronisation;
  const bool overlaps = std::any_of(steps.begin(), steps.end(),
                                    [&](const SyncStep& sync) { return overlaps_backward(sync); });
  if (!overlaps || links_.data.ranks == 1) return {whole_};
  const Bytes bucket = overlap_gradients_ && protocol.overlapped_bucket
                           ? *protocol.overlapped_bucket
                           : protocol.bucket;
  const double room = bucket / gradients();  // of a bucket, in shares of all gradients
  std::vector<Slice> found(1);
  for (auto layer = workload_.layers.rbegin(); layer != workload_.layers.rend(); ++layer) {
    const double share = layer->trainable_parameters / workload_.trainable_parameters;
    for (int left = layer->count; left > 0;) {
      if (found.back().share >= room * (1 - 1e-9)) found.emplace_back();
      Slice& slice = found.back();
      const double missing = share > 0 ? std::ceil((room - slice.share) / share - 1e-9) : left;
      const int taken = static_cast<int>(std::clamp(missing, 1.0, 1.0 * left));
      add(slice.work, *layer, taken);
      slice.share += taken * share;
      left -= taken;
    }
  }
  for (Slice& slice : found)
    slice.collectives = std::max(1.0, std::floor(slice.share / room + 1e-9));
  std::reverse(found.begin(), found.end());
  return found;
}

PartBases CalibratedStep::bases() const {
  PartBases bases = uniform_bases(Basis::Formula);
  bases[index_of(StepPart::Compute)] = profile_.basis;
  bases[index_of(StepPart::Launch)] = profile_.overhead_basis;
  bases[index_of(StepPart::Tensor)] = links_.tensor.basis;
  bases[index_of(StepPart::Context)] = links_.context.basis;
  // Assumed: the spread was seen between makers' servers, not between the nodes of one job.
  bases[index_of(StepPart::Imbalance)] = Basis::Assumed;
  if (workload_.optimizer.bytes_per_parameter.is_assumed())
    bases[index_of(StepPart::Optimizer)] = Basis::Assumed;
  return bases;
}

CalibratedStep::Links CalibratedStep::scaled_links(const StepPerturbation& by) const {
  return {perturbed(links_.tensor, by), perturbed(links_.context, by), perturbed(links_.data, by),
          perturbed(links_.node, by), perturbed(links_.between, by)};
}

/// Both passes over all layers. Tensor-parallel traffic that overlaps travels in chunks with the
/// GEMMs it belongs to: the first chunk waits. Ring attention: keys and values travel cp-1 times
/// forward, and backward again with their gradients; each hop overlaps the attention of one of cp
/// blocks.
void CalibratedStep::set_passes(LayerTimes& layer, const Slice& slice, double samples,
                                const Links& links, const StepPerturbation& by) const {
  const WorkTotals& work = slice.work;
  const double share = samples / plan_.model_parallel_size() * by.arithmetic / profile_.efficiency;
  // Of the whole pass: what this slice has of its operators, of its layers and of its attention.
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
    // What the host needs beyond the kernels, which run while it launches the next ones.
    const Seconds behind = overhead * by.overhead * profile_.host - pass.compute;
    pass.launch = std::max(overhead * by.overhead * profile_.overhead, behind);
  };
  set(layer.forward, work.matmul_forward, work.attention_forward, forward);
  set(layer.backward, work.matmul_backward, work.attention_backward, backward);
  if (links.tensor.ranks > 1) {
    const TensorParallelTraffic& traffic = *workload_.tensor_parallel;
    const Bytes payload = traffic.payload.value * (samples / plan_.context_parallel_size);
    const Seconds each =
        of_layers * traffic.layers.value *
        collective_cost(CollectiveKind::AllGather, payload, links.tensor, in_network_reduction_)
            .time;
    const double first = tensor_overlap_ ? 1.0 / links.tensor.ranks : 1;
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
    const Seconds hop =
        collective_cost(CollectiveKind::SendReceive, block, links.context, false).time;
    const double part = whole_.work.attention_forward > Flops{} ? of_attention : of_layers;
    layer.forward.overlapped[ring_exchange] = part * hops * traffic.layers.value * hop;
    layer.backward.overlapped[ring_exchange] = 2 * layer.forward.overlapped[ring_exchange];
  }
}

bool CalibratedStep::overlaps_backward(const SyncStep& sync) const {
  return sync.overlaps == Overlap::Backward ||
         (overlap_gradients_ && sync.payload == SyncPayload::Gradients);
}

Cost CalibratedStep::sync_cost(const SyncStep& sync, const Links& links, double share) const {
  const Gradients& gradients = workload_.gradients;
  const double bytes = sync.payload == SyncPayload::Parameters
                           ? gradients.parameters_bytes_per_parameter.value
                           : gradients.bytes_per_parameter.value;
  Bytes payload = share * (bytes / gradients.bytes_per_parameter.value) * this->gradients();
  if (sync.payload == SyncPayload::Shard) payload = payload / links.node.ranks;
  const Communicator& group = sync.group == SyncGroup::Data   ? links.data
                              : sync.group == SyncGroup::Node ? links.node
                                                              : links.between;
  return collective_cost(sync.collective, payload, group, in_network_reduction_);
}

/// What overlaps leaves bucket by bucket, the rest follows the passes.
void CalibratedStep::set_gradients(const Links& links) const {
  const bool one_node = links.between.ranks <= 1;
  std::vector<LayerTimes>& layers = work_.stages.front().front().layers;
  Cost exposed;
  Basis basis = exposed.basis;
  for (LayerTimes& layer : layers) layer.backward.reduce = {};
  for (const SyncStep& sync : workload_.gradients.synchronisation) {
    if (sync.when == SyncWhen::OneNode && !one_node) continue;
    if (sync.when == SyncWhen::ManyNodes && one_node) continue;
    if (!overlaps_backward(sync)) {
      exposed += sync_cost(sync, links, 1);
      continue;
    }
    for (std::size_t i = 0; i < layers.size(); ++i) {
      const Slice& slice = slices_[i];
      if (slice.share <= 0) continue;
      const Cost each = sync_cost(sync, links, slice.share / slice.collectives);
      layers[i].backward.reduce += slice.collectives * each.time;
      basis = weakest(basis, each.basis);
    }
  }
  work_.after.front() = exposed.time;
  work_.bases[index_of(StepPart::Data)] = weakest(basis, exposed.basis);
}

Seconds CalibratedStep::optimizer_time() const {
  const Optimizer& optimizer = workload_.optimizer;
  const Communicator& data = links_.data;
  const int shards = optimizer.sharded_over == Sharding::Data   ? data.ranks
                     : optimizer.sharded_over == Sharding::Node ? links_.node.ranks
                                                                : 1;
  const Bytes moved{optimizer.bytes_per_parameter.value * workload_.trainable_parameters /
                    plan_.tensor_parallel_size / shards};
  return moved / cluster_.accelerator.memory_bandwidth.value;
}

const StepWork& CalibratedStep::work(const StepPerturbation& by) const {
  if (by.latency != 1 || by.bandwidth != 1) return work(scaled_links(by), by);
  return work(links_, by);  // sweeps ask for nothing else, hundreds of thousands of times a second
}

const StepWork& CalibratedStep::work(const Links& links, const StepPerturbation& by) const {
  std::vector<LayerTimes>& layers = work_.stages.front().front().layers;
  for (std::size_t i = 0; i < layers.size(); ++i)
    set_passes(layers[i], slices_[i], plan_.micro_batch, links, by);
  set_gradients(links);
  return work_;
}

StepTimes CalibratedStep::times(const StepPerturbation& by) const { return closed_form(work(by)); }

Seconds CalibratedStep::forward_pass(double samples, const StepPerturbation& by) const {
  LayerTimes layer;
  set_passes(layer, whole_, samples, scaled_links(by), by);
  return layer_length(layer.forward, Seconds{}, work_.slowdown);
}

}  // namespace tofn
