#include "sim/answers/fabric_training_answer.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/cluster/measured_machine.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/simulation/best_plan.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// Plan with as many accelerators of each node as the table has. It states nothing if a domain
/// spans several nodes, because such a domain cannot hold this job.
Plan placed_as(const CollectiveTable& table, const Cluster& cluster) {
  Plan plan;
  const int each = table.ranks / table.nodes;
  if (table.nodes > 1 && each < cluster.accelerators_per_node.value &&
      cluster.scale_up.domain_accelerators.value == cluster.accelerators_per_node.value)
    plan.accelerators_per_domain = each;
  return plan;
}

/// Returns text such as `all-gather over 2 ranks, send-receive over 2 ranks`.
std::string collectives_text(const AnsweredCollectives& answered) {
  std::vector<std::string> all;
  for (const AnsweredCollective& each : answered)
    all.push_back(fmt::format("{} over {} ranks", name_of(each.kind), each.ranks));
  return fmt::format("{}", fmt::join(all, ", "));
}

}  // namespace

FabricTraining fabric_training(const JudgedTable& judged,
                               const std::vector<CollectiveTable>& of_its_log,
                               const Cluster& cluster, const Model& model,
                               const KernelProfile& profile) {
  const CollectiveTable& table = judged.table;
  Cluster here = cluster;
  here.measured = std::make_shared<const MeasuredMachine>(
      MeasuredMachine{table.file, MeasuredCollectives(of_its_log), {}});
  const Plan plan = best_plan({.model = model,
                               .cluster = cluster,
                               .profile = profile,
                               .accelerators = table.ranks,
                               .global_batch = static_cast<double>(table.ranks),
                               .request = placed_as(table, cluster)})
                        .plan;
  const SimulatedStep calibrated = simulate_step(model, plan, here, profile);
  const AnsweredCollectives& answered = calibrated.work.answered;
  if (std::all_of(answered.begin(), answered.end(),
                  [](const AnsweredCollective& each) { return each.by == AnsweredBy::Formula; }))
    throw InputError({table.file}, "--training",
                     fmt::format("{} of {} ranks on {} nodes answers no message of a step of {}, "
                                 "which has {}",
                                 name_in(collective_kinds, table.collective), table.ranks,
                                 table.nodes, model.name, collectives_text(answered)));
  return {simulate_step(model, plan, cluster, profile), calibrated.times.total,
          substitutions(*here.measured, answered)};
}

}  // namespace answers
}  // namespace tofn
