#include "sim/simulation/computed_plan.hpp"

#include "sim/parallelism/captured_graphs.hpp"
#include "sim/parallelism/substitutions.hpp"

namespace tofn {
inline namespace simulation {

Plan plan_that_runs(const SimulatedStep& step) {
  Plan plan = step.plan;
  const Accelerator& chip = step.cluster.accelerator;
  const PassPrecision runs =
      chip.computes_in(pass_precision(requested_precision(step.model, plan), plan.fp8_attention));
  plan.expert_dispatch = chip_dispatch(plan.expert_dispatch, chip);
  plan.cuda_graphs = captured_graphs(plan.cuda_graphs, chip);
  plan.fp8_attention = plan.fp8_attention && runs.attention == Precision::Fp8;
  plan.in_network_reduction = plan.in_network_reduction && can_reduce(step.cluster);
  return plan;
}

}  // namespace simulation
}  // namespace tofn
