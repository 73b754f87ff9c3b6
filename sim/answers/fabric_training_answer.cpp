#include "sim/answers/fabric_training_answer.hpp"

#include <memory>

#include "sim/simulation/best_plan.hpp"

namespace tofn {
inline namespace answers {

FabricTraining fabric_training(const JudgedTable& judged,
                               const std::vector<CollectiveTable>& of_its_log,
                               const Cluster& cluster, const Model& model,
                               const KernelProfile& profile) {
  const Cluster& healthy = cluster;
  Cluster here = cluster;
  here.measured = std::make_shared<const MeasuredMachine>(
      MeasuredMachine{judged.table.file, MeasuredCollectives(of_its_log), {}});
  const BestPlan best = best_plan({.model = model,
                                   .cluster = healthy,
                                   .profile = profile,
                                   .accelerators = judged.table.ranks,
                                   .global_batch = static_cast<double>(judged.table.ranks)});
  const auto step = [&](const Cluster& on) {
    return simulate_step(model, best.plan, on, profile).times.total;
  };
  return {best.plan, step(healthy), step(here)};
}

}  // namespace answers
}  // namespace tofn
