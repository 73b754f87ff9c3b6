#include "sim/diagnosis/slow_step_causes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/memory/footprint.hpp"
#include "sim/simulation/computed_plan.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/slow_node.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

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
double bandwidth_share(double gravity) { return graded(0.95, least_bandwidth, gravity); }

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

/// True if the job fits the memory, within the error of predictions.
bool is_held(const SuspectJob& job) {
  constexpr double room = 1.15;
  const StepCase& step = job.step;
  const auto layers =
      layer_work(step.model, computed_plan(step.plan, step.model, step.cluster.accelerator));
  const Footprint most = largest_footprint(
      layers, step.plan, memory_profile(step.model, step.plan, step.cluster, job.stack));
  return most.total() <= room * step.cluster.accelerator.memory.value;
}

/// Logarithm of the factor by which the cause lengthens a step; absent if the job cannot have it.
std::optional<double> log_factor(const SlowStepCause& cause, const SuspectJob& job, double usual,
                                 double gravity) {
  SuspectJob faulty = job;
  try {
    if (!cause.change(faulty, gravity) || !is_held(faulty)) return {};
    return std::log(closed_step(faulty.step, faulty.stack).base() / usual);
  } catch (const InputError&) {  // the plan or the chip has no such feature
    return {};
  }
}

/// Likelihood of an excess of `x` deviations: a normal curve with a wide floor, because predictions
/// have outliers.
double likelihood(double x) {
  return 0.98 * std::exp(-0.5 * x * x) + 0.02 * std::exp(-0.05 * x * x);
}

/// Fits the cause over its severities: sets the likelihood of the excess, and the severity that
/// comes nearest to it.
std::optional<FittingCause> fit_cause(const SlowStepCause& cause, const SuspectJob& job,
                                      double usual, double excess, double deviation) {
  constexpr int steps = 12;
  const bool is_graded = cause.amount != nullptr;
  double evidence = 0;
  std::optional<FittingCause> best;
  double nearest = 0;
  double before = 0;
  for (int i = 0; i <= (is_graded ? steps : 0); ++i) {
    double gravity = is_graded ? static_cast<double>(i) / steps : 1;
    const auto found = log_factor(cause, job, usual, gravity);
    if (!found) return {};
    double effect = *found;
    evidence += likelihood((std::log(excess) - effect) / deviation) / (is_graded ? steps + 1 : 1);
    const bool is_passed = i > 0 && before < std::log(excess) && effect > std::log(excess);
    if (is_passed) {  // the effect is interpolated linearly between the two points
      gravity -= (effect - std::log(excess)) / (effect - before) / steps;
      effect = std::log(excess);
    }
    before = *found;
    const double off = std::abs(std::log(excess) - effect);
    if (best && off >= nearest) continue;
    nearest = off;
    best = FittingCause{.cause = &cause,
                        .factor = std::exp(effect),
                        .amount = is_graded ? cause.amount(gravity) : std::string()};
  }
  constexpr double noticeable = 1.005;  // a cause without a noticeable effect explains nothing
  if (!best || (best->factor < noticeable && before < std::log(noticeable))) return {};
  best->probability = cause.odds * evidence;
  return best;
}

/// Factor on the odds of a cause from other evidence than the step time (assumed).
double odds_after(const SlowStepCause& cause, const ExcessOfStep& excess) {
  constexpr double began_again = 0.03;  // a job restarted with other arguments within one log
  constexpr double seen = 20;           // odds for or against links that were measured
  const bool is_from_the_start = cause.group == Group::Flag || cause.group == Group::Batch;
  if (is_from_the_start && excess.came_later) return began_again;
  const std::optional<bool> is_slow = cause.links == MeasuredLinks::Network ? excess.network_is_slow
                                      : cause.links == MeasuredLinks::ScaleUp
                                          ? excess.scale_up_is_slow
                                          : std::optional<bool>{};
  return !is_slow ? 1 : *is_slow ? seen : 1 / seen;
}

}  // namespace

std::span<const SlowStepCause> slow_step_causes() { return causes_of_slow_steps; }

std::vector<FittingCause> fitting_causes(const SuspectJob& job, const ExcessOfStep& excess,
                                         const std::vector<std::string>& stated) {
  const double usual = closed_step(job.step, job.stack).base();
  std::vector<FittingCause> fitting;
  for (const SlowStepCause& cause : causes_of_slow_steps) {
    const bool is_stated = std::find(stated.begin(), stated.end(), cause.plan_row) != stated.end();
    if (is_stated && !cause.plan_row.empty()) continue;
    auto found = fit_cause(cause, job, usual, excess.factor, excess.deviation);
    if (!found) continue;
    found->probability *= odds_after(cause, excess);
    fitting.push_back(std::move(*found));
  }
  // Most jobs have none of these faults, so "no cause" gets as much prior weight as all causes
  // together.
  const auto none = static_cast<double>(std::max<std::size_t>(1, fitting.size()));
  fitting.push_back({.probability = none * likelihood(std::log(excess.factor) / excess.deviation)});
  double sum = 0;
  for (const FittingCause& each : fitting) sum += each.probability;
  for (FittingCause& each : fitting) each.probability /= sum;
  constexpr double least_reported = 0.02;
  std::erase_if(fitting,
                [](const FittingCause& each) { return each.probability < least_reported; });
  std::stable_sort(fitting.begin(), fitting.end(),
                   [](const auto& a, const auto& b) { return a.probability > b.probability; });
  return fitting;
}

}  // namespace diagnosis
}  // namespace tofn
