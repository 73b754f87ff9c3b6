#pragma once

#include "sim/config/load_plan.hpp"
#include "sim/simulation/best_plan.hpp"

namespace tofn {
inline namespace config {

/// A job whose plan is stated in part.
struct StatedJob {
  const Model& model;
  const Cluster& cluster;
  const KernelProfile& profile;
  const PlanFile& plan;
  int accelerators = 1;
  double batch = 1;  ///< samples of a step
  PlanSpace space = PlanSpace::Usual;
  Seconds to_beat = nothing_to_beat;  ///< by a plan that is chosen
};

/// The plan of every command that simulates a model: what is stated stays, and of the rest the
/// shortest step that fits is taken (`best_plan`); 0 plans were tried where all is stated.
/// InputError where what is stated does not split the job.
BestPlan filled_plan(const StatedJob&, PlanSteps&);
BestPlan filled_plan(const StatedJob&);

/// Whether the usual search would choose anything of it.
bool leaves_open(const PlanFile&, const Model&);

/// The plan where its replicas are stated, by their number or by what each has of the batch: tp, pp
/// and cp that nobody states are 1.
PlanFile with_stated_replicas(PlanFile);

}  // namespace config
}  // namespace tofn
