#include "sim/answers/fabric_training_answer.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/cluster/measured_machine.hpp"
#include "sim/core/error.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
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

/// Returns text such as `all-gather over 2 ranks, all-reduce over 8 ranks far outside 1 kB to 1
/// MB`.
std::string unanswered_text(const AnsweredCollectives& answered, const CollectiveTable& table) {
  std::vector<std::string> all;
  for (const AnsweredCollective& each : answered) {
    std::string text = collective_words(each);
    if (each.is_far)
      text += fmt::format(" far outside {} to {}", to_text(table.rows.front().size),
                          to_text(table.rows.back().size));
    add_new(all, {text});
  }
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
  if (std::ranges::none_of(answered, [](const AnsweredCollective& each) {
        return each.by != AnsweredBy::Formula && !each.is_far;
      }))
    throw InputError(
        {table.file}, "--training",
        fmt::format("{} of {} ranks on {} answers no message of a step of {}, "
                    "which has {}",
                    name_in(collective_kinds, table.collective), table.ranks,
                    counted(table.nodes, "node"), model.name, unanswered_text(answered, table)));
  return {simulate_step(model, plan, cluster, profile), calibrated.times.total,
          substitutions(*here.measured, answered)};
}

}  // namespace answers
}  // namespace tofn
