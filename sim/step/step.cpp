#include "sim/step/step.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/collectives/algorithm.hpp"
#include "sim/core/error.hpp"
#include "sim/core/statistics.hpp"

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

}  // namespace

void require_learned_plan(const Plan& plan) {
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

struct StepModel::Links {
  Communicator tensor, context, data;
};

StepModel::StepModel(const Workload& workload, const Cluster& cluster, const Plan& plan,
                     const RunSettings& settings, const ComputeProfile& profile)
    : workload_(workload),
      cluster_(cluster),
      plan_(plan),
      profile_(profile),
      work_(total_work(workload)),
      tensor_overlap_(settings.tensor_overlap.value_or(true)),
      overlap_gradients_(settings.overlap_gradient_reduction.value_or(false)),
      in_network_reduction_(settings.in_network_reduction.value_or(false)) {
  require_learned_plan(plan);
  if (plan.tensor_parallel_size > 1 && !workload.tensor_parallel)
    throw InputError(fmt::format("workload {} does not describe tensor parallelism (tp = {})",
                                 workload.name, plan.tensor_parallel_size));
  if (plan.context_parallel_size > 1 && !workload.context_parallel)
    throw InputError(fmt::format("workload {} does not describe context parallelism (cp = {})",
                                 workload.name, plan.context_parallel_size));
  tensor_ = place(tensor_ranks(plan), cluster, plan.accelerators());
  context_ = place(context_ranks(plan), cluster, plan.accelerators());
  data_ = place(gradient_ranks(plan), cluster, plan.accelerators());
  const int nodes = (plan.accelerators() - 1) / cluster.accelerators_per_node.value + 1;
  slowest_node_excess_ = profile.node_spread * expected_maximum(nodes);
}

StepModel::Links StepModel::perturbed(const StepPerturbation& by) const {
  return {scaled(tensor_, by), scaled(context_, by), scaled(data_, by)};
}

PassTime StepModel::pass(double samples, const StepPerturbation& by) const {
  PassTime time =
      pass_time(work_, cluster_.accelerator, profile_, samples, plan_.model_parallel_size());
  for (Seconds* part : {&time.matmul_forward, &time.matmul_backward, &time.attention_forward,
                        &time.attention_backward})
    *part *= by.arithmetic;
  time.overhead_forward *= by.overhead;
  time.overhead_backward *= by.overhead;
  return time;
}

/// All-gathers and reduce-scatters of the activations of one pass. Overlapped, they travel in
/// chunks beside the GEMMs they belong to: the first chunk waits, the rest hides as far as the
/// GEMMs last, less the loss.
StepModel::TensorTime StepModel::tensor_time(double collectives, double samples, Seconds gemms,
                                             const Communicator& c) const {
  const auto& description = *workload_.tensor_parallel;
  const Bytes payload = description.payload.value * (samples / plan_.context_parallel_size);
  const Seconds traffic =
      description.layers.value * collectives *
      collective_cost(CollectiveKind::AllGather, payload, c, in_network_reduction_).time;
  const Seconds first = traffic / plan_.tensor_parallel_size;
  const Seconds hidden = tensor_overlap_ ? std::min(traffic - first, gemms) : Seconds{};
  return {.traffic = traffic,
          .hidden = hidden,
          .exposed = traffic - hidden * (1 - profile_.overlap_loss)};
}

/// Ring attention: keys and values travel cp-1 times forward; backward they travel again with their
/// gradients. Each hop hides behind the attention of one of cp blocks.
StepModel::ContextTime StepModel::context_time(double samples, const PassTime& pass,
                                               const Communicator& c, bool with_backward) const {
  const auto& description = *workload_.context_parallel;
  const double share = (c.ranks - 1.0) / c.ranks;
  const Bytes block = description.payload.value * (samples / plan_.tensor_parallel_size / c.ranks);
  const Seconds hop = collective_cost(CollectiveKind::SendReceive, block, c, false).time;
  const Seconds forward = (c.ranks - 1) * description.layers.value * hop;
  const Seconds traffic = with_backward ? 3 * forward : forward;
  const Seconds hidden =
      share * (pass.attention_forward + (with_backward ? pass.attention_backward : Seconds{}));
  return {.traffic = traffic, .exposed = std::max(Seconds{}, traffic - hidden)};
}

Seconds StepModel::ideal_arithmetic() const {
  ComputeProfile ideal = profile_;
  ideal.efficiency = 1;
  return plan_.gradient_accumulation * pass_time(work_, cluster_.accelerator, ideal,
                                                 plan_.micro_batch, plan_.model_parallel_size())
                                           .arithmetic();
}

Seconds StepModel::forward_pass(double samples, const StepPerturbation& by) const {
  const PassTime time = pass(samples, by);
  Seconds result = time.forward();
  if (tensor_.ranks > 1)
    result += tensor_time(workload_.tensor_parallel->forward_collectives.value, samples,
                          time.matmul_forward, scaled(tensor_, by))
                  .exposed;
  if (context_.ranks > 1)
    result += context_time(samples, time, scaled(context_, by), false).exposed;
  return result;
}

StepBreakdown StepModel::evaluate(const StepPerturbation& by) const {
  const Links links = perturbed(by);
  const PassTime one = pass(plan_.micro_batch, by);
  const double passes = plan_.gradient_accumulation;
  StepBreakdown step;
  step.arithmetic = {passes * one.arithmetic(), profile_.basis};
  step.overhead = {passes * one.overhead(), profile_.overhead_basis};
  if (tensor_.ranks > 1) {
    const auto& traffic = *workload_.tensor_parallel;
    const TensorTime tensor =
        tensor_time(traffic.forward_collectives.value + traffic.backward_collectives.value,
                    plan_.micro_batch, one.matmul_forward + one.matmul_backward, links.tensor);
    step.tensor_parallel = {passes * tensor.exposed, tensor_.basis};
    step.tensor_hidden = passes * tensor.hidden;
    step.communication_total += {passes * tensor.traffic, tensor_.basis};
  }
  if (context_.ranks > 1) {
    const ContextTime context = context_time(plan_.micro_batch, one, links.context, true);
    step.context_parallel = {passes * context.exposed, context_.basis};
    step.communication_total += {passes * context.traffic, context_.basis};
  }
  step.gradients = exposed_gradients(links, one.backward(), step.communication_total);
  // Assumed: the spread was seen between makers' servers, not between the nodes of one job.
  step.stragglers = {slowest_node_excess_ * (step.arithmetic.time + step.overhead.time),
                     Basis::Assumed};
  step.optimizer = {optimizer_time(), workload_.optimizer.bytes_per_parameter.is_assumed()
                                          ? Basis::Assumed
                                          : Basis::Formula};
  return step;
}

bool StepModel::overlaps_backward(const SyncStep& sync) const {
  return sync.overlaps == Overlap::Backward ||
         (overlap_gradients_ && sync.payload == SyncPayload::Gradients);
}

Cost StepModel::sync_cost(const SyncStep& sync, const Links& links, double share) const {
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

/// Buckets leave as the backward pass makes them, one after the other on one stream: what backward
/// does not cover is exposed, and at least the last bucket, which nothing is left to hide.
Cost StepModel::exposed_gradients(const Links& links, Seconds backward, Cost& total) const {
  const Gradients& gradients = workload_.gradients;
  const double whole = gradients.bytes_per_parameter.value * workload_.trainable_parameters /
                       plan_.tensor_parallel_size;
  const Bytes bucket = overlap_gradients_ && gradients.overlapped_bucket
                           ? *gradients.overlapped_bucket
                           : gradients.bucket;
  const double buckets = std::max(1.0, std::ceil(whole / bucket.base()));
  Cost hidden;
  Cost last;
  Cost waited;
  for (const SyncStep& sync : gradients.synchronisation) {
    if (sync.when == SyncWhen::OneDomain && !data_.one_domain()) continue;
    if (sync.when == SyncWhen::ManyDomains && data_.one_domain()) continue;
    if (overlaps_backward(sync)) {
      const Cost each = sync_cost(sync, links, 1 / buckets);
      hidden += each * buckets;
      last += each;
    } else {
      waited += sync_cost(sync, links, 1);
    }
  }
  total += hidden + waited;
  const Seconds covered = backward * ((buckets - 1) / buckets);
  return waited + Cost{std::max(last.time, hidden.time - covered), hidden.basis};
}

Seconds StepModel::optimizer_time() const {
  const Optimizer& optimizer = workload_.optimizer;
  const int shards = optimizer.sharded_over == Sharding::Data     ? data_.ranks
                     : optimizer.sharded_over == Sharding::Domain ? data_.ranks_per_domain
                                                                  : 1;
  const Bytes moved{optimizer.bytes_per_parameter.value * workload_.trainable_parameters /
                    plan_.tensor_parallel_size / shards};
  return moved / cluster_.accelerator.memory_bandwidth.value;
}

}  // namespace tofn
