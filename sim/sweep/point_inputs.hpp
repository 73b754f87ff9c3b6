#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>

#include "sim/config/load_plan.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/simulation/plan_steps.hpp"
#include "sim/sweep/sweep_sources.hpp"
#include "sim/sweep/varied_plan.hpp"

namespace tofn {
inline namespace sweep {

/// Inputs of one point. Each thread has its own and keeps things while it needs the same variants.
class PointInputs {
 public:
  explicit PointInputs(const SweepSources& sources)
      : sources_(sources), read_plans_(sources.plan_) {}

  /// Each function throws InputError if its variant cannot be read.
  const Cluster& cluster(const Positions&);
  /// Model as its stack runs it.
  const Model& model(const Positions&);
  Flops model_flops(const Positions&);
  const StatedPlan* plan(const Positions&);  ///< null: a workload without a plan
  const KernelProfile& stack(const Positions&);
  /// Steps of that model on that cluster with that stack; valid until other ones are requested.
  PlanSteps& steps(const Positions&);
  const Workload& calibrated_workload(const Positions&) const;
  const Workload& workload(const Positions&);  ///< with the changes by axes
  /// Reads the thing that the path begins with.
  void read(std::string_view path, const Positions&);

 private:
  Cluster made_cluster(const Positions&) const;
  StatedPlan read_plan_at(const Positions&) const;
  std::uint64_t cluster_variant(const Positions&) const;

  const SweepSources& sources_;
  Varied<Cluster> clusters_;
  Varied<Model> models_;
  Varied<Flops> model_flops_;
  VariedPlan read_plans_;
  Varied<StatedPlan> plans_;  ///< with the stack's changes
  Varied<KernelProfile> stack_;
  Varied<Workload> workloads_;
  using StepThings =
      std::tuple<const Model*, const Cluster*, const KernelProfile*, std::array<std::uint64_t, 3>>;
  StepThings steps_of_{};
  std::optional<PlanSteps> steps_;
};

}  // namespace sweep
}  // namespace tofn
