#include "sim/cluster/asked_collectives.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/training/run.hpp"

namespace tofn {
inline namespace training {
namespace {

std::vector<std::string> unmeasured_collectives(const RunModel& model) {
  Cluster cluster = *model.description().cluster;
  if (cluster.measured == nullptr) return {};
  AskedCollectives asked;
  cluster.asked = &asked;
  RunDescription run = model.description();
  run.cluster = &cluster;
  RunModel(run, model.parameters()).expected();
  return substitutions(*cluster.measured, asked);
}

}  // namespace

std::vector<std::string> substitutions(const RunDescription& run, Precision products) {
  const RunSettings& settings = run.settings;
  if (const auto& simulated = run.workload->simulated)
    return substitutions(simulated->model, simulated_plan(*run.workload, run.plan, settings),
                         *run.cluster);
  const Precision own = run.workload->precision;
  const Precision usual = run.cluster->accelerator.has(own) ? products : own;
  return substitutions({.precision = settings.precision.value_or(usual),
                        .fp8_attention = settings.fp8_attention.value_or(false),
                        .in_network_reduction = settings.in_network_reduction.value_or(false)},
                       *run.cluster);
}

std::vector<std::string> substitutions(const RunModel& model) {
  std::vector<std::string> all =
      substitutions(model.description(), model.parameters().compute.precision.matmul);
  for (std::string& each : unmeasured_collectives(model)) all.push_back(std::move(each));
  return all;
}

}  // namespace training
}  // namespace tofn
