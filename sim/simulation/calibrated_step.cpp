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

Communicator scaled(Communicator c, const StepPerturbation& by) {
  c.scale_up.latency *= by.latency;
  c.network.latency *= by.latency;
  c.scale_up.bandwidth *= by.bandwidth;
  c.network.bandwidth *= by.bandwidth;
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
      {plan.schedule != PipelineSchedule::OneForwardOneBackward, "another pipeline schedule"},
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
      totals_(total_work(workload)),
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
  const auto placed = [&](RankSet set) { return place(set, cluster, plan.accelerators()); };
  links_ = {placed(tensor_ranks(plan)), placed(context_ranks(plan)), placed(gradient_ranks(plan))};

  work_.stages = {
      {ChunkTimes{{LayerTimes{.name = workload.name, .count = 1, .forward = {}, .backward = {}}}}}};
  work_.micro_batches = plan.gradient_accumulation;
  work_.slowdown.tensor = profile.overlap_loss;
  work_.after = {Seconds{}};
  work_.optimizer = {optimizer_time()};
  work_.rank_noise = profile.node_spread;
  work_.replicas = independent_replicas(plan, cluster);
  work_.bases = bases();
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

CalibratedStep::Links CalibratedStep::links(const StepPerturbation& by) const {
  return {scaled(links_.tensor, by), scaled(links_.context, by), scaled(links_.data, by)};
}

/// Both passes over all layers. Tensor-parallel traffic that overlaps travels in chunks beside the
/// GEMMs it belongs to: the first chunk waits. Ring attention: keys and values travel cp-1 times
/// forward, and backward again with their gradients; each hop beside the attention of one of cp
/// blocks.
void CalibratedStep::set_passes(LayerTimes& layer, double samples, const Links& links,
                                const StepPerturbation& by) const {
  const double share = samples / plan_.model_parallel_size() * by.arithmetic / profile_.efficiency;
  const double operators = totals_.forward_operators + totals_.backward_operators;
  const double forward = operators > 0 ? totals_.forward_operators / operators : 0.5;
  const double hops = links.context.ranks - 1.0;
  const auto set = [&](LayerPass& pass, Flops matmul, Flops attention, double overhead) {
    pass = {};
    const Seconds attending =
        share * ideal_time(Flops{}, attention, cluster_.accelerator, profile_.precision);
    pass.compute =
        attending + share * ideal_time(matmul, Flops{}, cluster_.accelerator, profile_.precision);
    pass.attention = attending * (hops / links.context.ranks);
    pass.launch = overhead * by.overhead * profile_.overhead;
  };
  set(layer.forward, totals_.matmul_forward, totals_.attention_forward, forward);
  set(layer.backward, totals_.matmul_backward, totals_.attention_backward, 1 - forward);
  if (links.tensor.ranks > 1) {
    const TensorParallelTraffic& traffic = *workload_.tensor_parallel;
    const Bytes payload = traffic.payload.value * (samples / plan_.context_parallel_size);
    const Seconds each = traffic.layers.value * collective_cost(CollectiveKind::AllGather, payload,
                                                                links.tensor, in_network_reduction_)
                                                    .time;
    const double first = tensor_overlap_ ? 1.0 / links.tensor.ranks : 1;
    const auto add = [&](LayerPass& pass, int collectives) {
      pass.waited[tensor_exchange] = first * collectives * each;
      pass.beside[tensor_exchange] = (1 - first) * collectives * each;
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
    layer.forward.beside[ring_exchange] = hops * traffic.layers.value * hop;
    layer.backward.beside[ring_exchange] = 2 * layer.forward.beside[ring_exchange];
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
  Bytes payload{bytes * workload_.trainable_parameters / plan_.tensor_parallel_size * share};
  if (sync.payload == SyncPayload::Shard) payload = payload / links.data.ranks_per_domain;
  const Communicator group = sync.group == SyncGroup::Data     ? links.data
                             : sync.group == SyncGroup::Domain ? inside_domain(links.data)
                                                               : between_domains(links.data);
  return collective_cost(sync.collective, payload, group, in_network_reduction_);
}

/// Gradients leave in buckets, as the backward pass makes them; what does not overlap follows.
void CalibratedStep::set_gradients(StepWork& work, const Links& links) const {
  const Gradients& gradients = workload_.gradients;
  LayerTimes& layer = work.stages.front().front().layers.front();
  const int buckets = layer.count;
  Cost leaving;
  Cost waited;
  for (const SyncStep& sync : gradients.synchronisation) {
    if (sync.when == SyncWhen::OneDomain && !links.data.one_domain()) continue;
    if (sync.when == SyncWhen::ManyDomains && links.data.one_domain()) continue;
    if (overlaps_backward(sync))
      leaving += sync_cost(sync, links, 1.0 / buckets);
    else
      waited += sync_cost(sync, links, 1);
  }
  layer.backward.reduce = leaving.time;
  work.after.front() = waited.time;
  work.bases[index_of(StepPart::Data)] = weakest(leaving.basis, waited.basis);
}

Seconds CalibratedStep::optimizer_time() const {
  const Optimizer& optimizer = workload_.optimizer;
  const Communicator& data = links_.data;
  const int shards = optimizer.sharded_over == Sharding::Data     ? data.ranks
                     : optimizer.sharded_over == Sharding::Domain ? data.ranks_per_domain
                                                                  : 1;
  const Bytes moved{optimizer.bytes_per_parameter.value * workload_.trainable_parameters /
                    plan_.tensor_parallel_size / shards};
  return moved / cluster_.accelerator.memory_bandwidth.value;
}

const StepWork& CalibratedStep::work(const StepPerturbation& by) const {
  const Links scaled = links(by);
  const Gradients& gradients = workload_.gradients;
  const double whole = gradients.bytes_per_parameter.value * workload_.trainable_parameters /
                       plan_.tensor_parallel_size;
  const Bytes bucket = overlap_gradients_ && gradients.overlapped_bucket
                           ? *gradients.overlapped_bucket
                           : gradients.bucket;
  LayerTimes& layer = work_.stages.front().front().layers.front();
  const double slices = std::max(1.0, std::ceil(whole / bucket.base()));
  layer.count = static_cast<int>(slices);
  set_passes(layer, plan_.micro_batch, scaled, by);
  for (LayerPass* pass : {&layer.forward, &layer.backward}) {
    for (Seconds* time : {&pass->compute, &pass->attention, &pass->launch}) *time /= slices;
    for (auto* times : {&pass->waited, &pass->beside})
      for (Seconds& time : *times) time /= slices;
  }
  set_gradients(work_, scaled);
  return work_;
}

StepTimes CalibratedStep::times(const StepPerturbation& by) const { return closed_form(work(by)); }

Seconds CalibratedStep::forward_pass(double samples, const StepPerturbation& by) const {
  LayerTimes layer;
  set_passes(layer, samples, links(by), by);
  return layer_length(layer.forward, Seconds{}, work_.slowdown);
}

}  // namespace tofn
