#include "sim/parallelism/substitutions.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/step_substitutions.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace training {
std::vector<std::string> substitutions(const RunDescription& run, Precision products) {
  const RunSettings& settings = run.settings;
  if (const auto& simulated = run.workload->simulated)
    return substitutions(simulated->model, simulated_plan(*run.workload, run.plan, settings),
                         *run.cluster, simulated->kernels.framework_defaults);
  const Precision own = run.workload->precision;
  const Precision typical = run.cluster->accelerator.has(own) ? products : own;
  return substitutions({.precision = settings.precision.value_or(typical),
                        .fp8_attention = settings.fp8_attention.value_or(false),
                        .in_network_reduction = settings.in_network_reduction.value_or(false),
                        .cuda_graphs = settings.cuda_graphs.value_or(CudaGraphs::None)},
                       *run.cluster);
}

std::vector<std::string> substitutions(const Run& run) {
  const RunDescription& of = run.benchmark->description;
  std::vector<std::string> all =
      substitutions(of, run.benchmark->parameters.compute.precision.matmul);
  for (std::string& each :
       collective_substitutions(*of.cluster, of.settings.in_network_reduction.value_or(false),
                                run.stretches.front().step->work().answered))
    all.push_back(std::move(each));
  return all;
}

}  // namespace training
}  // namespace tofn
