#include "sim/answers/fabric_training_answer.hpp"

#include "sim/simulation/best_plan.hpp"

namespace tofn {
inline namespace answers {

FabricTraining fabric_training(const JudgedTable& judged, const Cluster& cluster,
                               const Model& model, const KernelProfile& profile) {
  const Cluster nominal = with_nominal_links(cluster);
  const Cluster healthy = with_links(nominal, judged.judgement.healthy);
  const Cluster here = with_links(nominal, judged.judgement.here);
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
