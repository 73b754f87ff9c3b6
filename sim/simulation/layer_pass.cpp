#include "sim/simulation/layer_pass.hpp"

#include <algorithm>
#include <cassert>

#include "sim/collectives/algorithms/two_level_exchange.hpp"
#include "sim/kernel/kernel_time.hpp"
#include "sim/simulation/stack_defaults.hpp"

namespace tofn {
inline namespace simulation {
namespace {

/// Ring attention overlaps the exchange of key-value blocks; tensor-parallel traffic overlaps its
/// products if the plan states so.
bool is_overlapped(const Exchange& exchange, const Plan& plan) {
  if (exchange.group == Group::Tensor) return plan.tensor_overlap;
  return exchange.group == Group::Context && exchange.collective == CollectiveKind::SendReceive;
}

CollectiveCost cost_of(const Exchange& exchange, const Communicator& ranks) {
  if (exchange.routing) return two_level_cost(exchange.payload, *exchange.routing, ranks);
  return exchange_cost(exchange.collective, exchange.payload, ranks);
}

/// Numbers of kernels that the host launches in a pass.
struct Launches {
  double all = 0;
  double of_weight_gradients = 0;
  double captured = 0;  ///< launched by a CUDA graph
};

CudaGraphs graphs_of(const Machine& machine) {
  return run_graphs(machine.profile.framework_defaults, machine.plan.cuda_graphs,
                    machine.accelerator);
}

/// True if a CUDA graph holds the kernel. The number of tokens of each expert is known too late for
/// that, unless a graph of the whole iteration has room for the most (Megatron-Core:
/// cuda_graph_scope attn, moe_router, moe_preprocess).
bool is_captured(const Kernel& kernel, CudaGraphs graphs) {
  return graphs == CudaGraphs::FullIteration || (graphs != CudaGraphs::None && !kernel.is_routed);
}

/// Adds the kernels and exchanges of `work` to the pass, and its launches by the host.
void add(LayerPass& pass, Launches& launches, const PassWork& work, const Machine& machine,
         AnsweredCollectives& answered) {
  const double eager = eager_factor(machine.plan, machine.profile);
  const CudaGraphs graphs = graphs_of(machine);
  for (const Kernel& kernel : work.kernels) {
    const bool captured = is_captured(kernel, graphs);
    const Seconds time =
        kernel_time(kernel, machine.precision, machine.accelerator, machine.profile, captured) *
        (kernel.k == 0 ? eager : 1);
    const double launched =
        kernel.count * eager * (kernel.is_routed ? machine.profile.mixture_launches.value : 1);
    pass.compute += time;
    launches.all += launched;
    if (captured) launches.captured += launched;
    if (kernel.is_weight_gradient) {
      pass.weight_gradients += time;
      launches.of_weight_gradients += launched;
    }
    if (kernel.arithmetic == Arithmetic::Attention) pass.attention += time;
  }
  for (const Exchange& exchange : work.exchanges) {
    const auto group = static_cast<std::size_t>(exchange.group);
    assert(group < pass.exposed.size() && "pipeline and data traffic are the plan's");
    const Communicator& ranks = machine.communicators.of(exchange.group);
    const double factor =
        exchange.group == Group::Expert ? machine.profile.expert_exchange_factor.value : 1;
    const Seconds time = factor * (exchange.count * answered.time_of(cost_of(exchange, ranks)));
    const double exposed = !is_overlapped(exchange, machine.plan) ? 1
                           : exchange.group == Group::Tensor      ? first_chunk(ranks)
                                                                  : 0;
    pass.exposed[group] += exposed * time;
    pass.overlapped[group] += (1 - exposed) * time;
    launches.all += exchange.count;
    if (graphs != CudaGraphs::None && exchange.group != Group::Expert)
      launches.captured += exchange.count;
  }
}

/// Sets the host time of a pass. A graph is one launch. If it holds the whole iteration, the host
/// is ahead and takes no time; any other graph is assumed to hold one layer.
void set_host(LayerPass& pass, const Launches& launches, double of_one, const Machine& machine) {
  if (graphs_of(machine) == CudaGraphs::FullIteration || launches.all <= 0) return;
  const double graph = launches.captured > 0 ? 1 : 0;
  pass.host =
      (graph + of_one * (launches.all - launches.captured)) * machine.profile.host_per_kernel.value;
  pass.host_of_weight_gradients = (launches.of_weight_gradients / launches.all) * pass.host;
}

}  // namespace

double eager_factor(const Plan& plan, const KernelProfile& profile) {
  const std::optional<Compile> typical = profile.framework_defaults.compile;
  if (!typical || !plan.compile || *plan.compile == *typical) return 1;
  return *typical == Compile::On ? profile.eager_factor.value : 1 / profile.eager_factor.value;
}

double gradient_bytes(const Plan& plan, const KernelProfile& profile) {
  return plan.gradient_precision ? width_of(*plan.gradient_precision)
                                 : profile.gradient_bytes.value;
}

double Machine::gradient_bytes() const { return simulation::gradient_bytes(plan, profile); }

double Machine::parameter_bytes() const {
  if (plan.parameter_precision) return width_of(*plan.parameter_precision);
  return precision.matmul >= Precision::Fp8 ? profile.fp8_parameter_bytes.value
                                            : profile.parameter_bytes.value;
}

LayerTimes layer_times(const LayerWork& work, const Machine& machine,
                       AnsweredCollectives& answered) {
  LayerTimes times{.name = work.name, .count = work.count, .forward = {}, .backward = {}};
  Launches forward, backward;
  add(times.forward, forward, work.forward, machine, answered);
  set_host(times.forward, forward, work.launches_of_kernel, machine);
  add(times.backward, backward, work.backward, machine, answered);
  add(times.backward, backward, work.recompute, machine, answered);
  set_host(times.backward, backward, work.launches_of_kernel, machine);
  return times;
}

}  // namespace simulation
}  // namespace tofn
