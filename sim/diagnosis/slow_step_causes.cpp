#include "sim/diagnosis/slow_step_causes.hpp"

#include <array>
#include <cmath>
#include <variant>

#include <fmt/format.h>

#include "sim/simulation/mixed_nodes.hpp"

namespace tofn {
inline namespace diagnosis {
namespace {

/// Interpolates from `least` to `most`, evenly in logarithms.
double graded(double least, double most, double gravity) {
  return least * std::pow(most / least, gravity);
}

/// Turns a switch of the plan off; false if it is already off.
template <bool Plan::*Switch>
bool turned_off(SuspectJob& job, double) {
  if (!(job.step.plan.*Switch)) return false;
  job.step.plan.*Switch = false;
  return true;
}

/// Also gathers parameters after the passes, because they are gathered beside them only if
/// gradients are reduced so.
bool without_data_overlap(SuspectJob& job, double gravity) {
  if (!turned_off<&Plan::data_overlap>(job, gravity)) return false;
  job.step.plan.parameter_overlap = false;
  return true;
}

bool without_graphs(SuspectJob& job, double) {
  if (job.step.plan.cuda_graphs == CudaGraphs::None) return false;
  job.step.plan.cuda_graphs = CudaGraphs::None;
  return true;
}

template <Recompute More>
bool recomputes(SuspectJob& job, double) {
  if (job.step.plan.recompute >= More) return false;
  job.step.plan.recompute = More;
  return true;
}

bool shards_parameters(SuspectJob& job, double) {
  if (job.step.plan.sharded == Sharded::Parameters || job.step.plan.pipeline_parallel_size > 1)
    return false;
  job.step.plan.sharded = Sharded::Parameters;
  return true;
}

/// Computes products of 8 or 4 bits in 16 bits, and those of 16 bits in fp32's replacement (TF32).
bool wider_products(SuspectJob& job, double) {
  const Precision request = job.step.plan.precision.value_or(job.step.model.precision);
  if (request <= Precision::Tf32) return false;
  job.step.plan.precision = request >= Precision::Fp8 ? Precision::Bf16 : Precision::Tf32;
  job.step.plan.fp8_attention = false;
  return job.step.cluster.accelerator.peak_at(*job.step.plan.precision) <
         job.step.cluster.accelerator.peak_at(request);
}

bool unfused_attention(SuspectJob& job, double) {
  bool was_fused = false;
  for (auto& part : job.step.model.parts)
    if (auto* layers = std::get_if<TransformerLayers>(&part.shape)) {
      was_fused = was_fused || layers->fused_attention;
      layers->fused_attention = false;
    }
  return was_fused;
}

bool one_sample_a_pass(SuspectJob& job, double) {
  Plan& plan = job.step.plan;
  if (plan.micro_batch <= 1) return false;
  plan.gradient_accumulation =
      static_cast<int>(std::lround(plan.micro_batch * plan.gradient_accumulation));
  plan.micro_batch = 1;
  return true;
}

constexpr double least_bandwidth = 0.05;  // kernel sockets instead of eight NICs
double bandwidth_share(double gravity) { return graded(healthy_share, least_bandwidth, gravity); }

bool slow_network(SuspectJob& job, double gravity) {
  Cluster& cluster = job.step.cluster;
  if (!cluster.network ||
      job.step.plan.accelerators() <= cluster.scale_up.domain_accelerators.value)
    return false;
  keep_measured(cluster);
  cluster.network->nic_bandwidth.value *= bandwidth_share(gravity);
  return true;
}

bool slow_scale_up(SuspectJob& job, double gravity) {
  keep_measured(job.step.cluster);
  job.step.cluster.scale_up.bandwidth.value *= bandwidth_share(gravity);
  return true;
}

constexpr double slowest_host = 10;
double host_factor(double gravity) { return graded(1.2, slowest_host, gravity); }
bool slow_host(SuspectJob& job, double gravity) {
  job.stack.host_per_kernel.value *= host_factor(gravity);
  return true;
}

constexpr double slowest_node = 3;
double node_factor(double gravity) { return graded(1.02, slowest_node, gravity); }
/// Slows all ranks, because in a synchronous step they wait for the slowest one.
bool slow_kernels(SuspectJob& job, double gravity) {
  slow_down(job.step.cluster.accelerator, job.stack, node_factor(gravity));
  return true;
}

std::string bandwidth_text(double gravity) {
  return fmt::format("at {:.0f} % of its bandwidth", 100 * bandwidth_share(gravity));
}
std::string host_text(double gravity) {
  return fmt::format("{:.1f} x the time an operator", host_factor(gravity));
}
std::string node_text(double gravity) {
  return fmt::format("{:.2f} x the time of kernels", node_factor(gravity));
}

using Group = SlowStepGroup;
constexpr double rare = 0.3;  // prior of changes to long-standing defaults of frameworks (assumed)
constexpr std::string_view see_flags = "the launch file, or the arguments that the log dumps";
constexpr std::string_view see_profile = "a profile of some steps (`tofn check PROFILE`)";

constexpr std::array causes_of_slow_steps{
    SlowStepCause{"gradients not overlapped", Group::Flag, "data_overlap", without_data_overlap,
                  nullptr, "gradients are reduced after the backward pass, not beside it",
                  see_flags},
    SlowStepCause{"parameters not overlapped", Group::Flag, "parameter_overlap",
                  turned_off<&Plan::parameter_overlap>, nullptr,
                  "updated parameters are gathered before the forward pass, not beside it",
                  see_flags},
    SlowStepCause{"tensor traffic not overlapped", Group::Flag, "tensor_overlap",
                  turned_off<&Plan::tensor_overlap>, nullptr,
                  "tensor-parallel traffic waits for its products", see_flags},
    SlowStepCause{"sends not overlapped", Group::Flag, "send_overlap",
                  turned_off<&Plan::send_overlap>, nullptr,
                  "stages wait for each send of the pipeline", see_flags},
    SlowStepCause{"no sequence parallelism", Group::Flag, "sequence_parallel",
                  turned_off<&Plan::sequence_parallel>, nullptr,
                  "norms and dropouts are computed by all tensor-parallel ranks", see_flags},
    SlowStepCause{"no CUDA graphs", Group::Flag, "cuda_graphs", without_graphs, nullptr,
                  "the host launches each kernel of a step", see_flags},
    SlowStepCause{"selective recomputation", Group::Flag, "recompute",
                  recomputes<Recompute::Selective>, nullptr, "some activations are computed again",
                  see_flags},
    SlowStepCause{"full recomputation", Group::Flag, "recompute", recomputes<Recompute::Full>,
                  nullptr, "all layers are computed again in the backward pass", see_flags},
    SlowStepCause{"parameters sharded", Group::Flag, "sharded", shards_parameters, nullptr,
                  "each pass gathers the parameters (ZeRO 3, FSDP's full shard)", see_flags},
    SlowStepCause{"wider products", Group::Flag, "precision", wider_products, nullptr,
                  "products run in the next wider format: the narrow one is not taken", see_profile,
                  rare},
    SlowStepCause{"attention not fused", Group::Flag, "", unfused_attention, nullptr,
                  "attention runs as products and a softmax in memory, no flash kernel",
                  see_profile, rare},
    SlowStepCause{"one sample a pass", Group::Batch, "micro_batch", one_sample_a_pass, nullptr,
                  "passes take one sample, which fills the chip less", see_flags},
    SlowStepCause{"network", Group::Link, "", slow_network, bandwidth_text,
                  "the network between nodes is slower than the cluster's",
                  "`--collectives`: a log of nccl-tests, or NCCL Inspector's lines of the job", 1,
                  MeasuredLinks::Network},
    SlowStepCause{"scale-up links", Group::Link, "", slow_scale_up, bandwidth_text,
                  "links inside the node or domain are slower than the cluster's",
                  "`--collectives`: a log of nccl-tests on one node, or NCCL Inspector's lines", 1,
                  MeasuredLinks::ScaleUp},
    SlowStepCause{
        "host", Group::Host, "", slow_host, host_text,
        "kernels wait for the host: a slow or busy CPU, small kernels, Python in the loop",
        see_profile},
    SlowStepCause{"slow node or clocks", Group::Node, "", slow_kernels, node_text,
                  "kernels take longer: one slow node that all wait for, or capped clocks",
                  "the same job without one node after the other, clocks (`nvidia-smi -q -d "
                  "CLOCK,PERFORMANCE`)"}};

}  // namespace

double severity_of(double share) {
  return std::clamp(std::log(share / healthy_share) / std::log(least_bandwidth / healthy_share),
                    0.0, 1.0);
}

std::span<const SlowStepCause> slow_step_causes() { return causes_of_slow_steps; }

}  // namespace diagnosis
}  // namespace tofn
