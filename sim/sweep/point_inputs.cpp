#include "sim/sweep/point_inputs.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/cluster/best_products.hpp"
#include "sim/config/load.hpp"
#include "sim/config/load_kernel_profile.hpp"
#include "sim/config/load_model.hpp"
#include "sim/simulation/stack_defaults.hpp"
#include "sim/simulation/step_source.hpp"

namespace tofn {
inline namespace sweep {
namespace {

/// Measured products that are scaled together with a field of accelerators.
std::vector<std::string> products_moved_with(const Accelerator& chip, const std::string& path) {
  std::vector<std::string> keys;
  for (const auto& [name, precision] : precision_names)
    if (path == fmt::format("peak.{}", name))
      for (const BestProduct& best : best_products_of_peak(chip, precision))
        keys.emplace_back(best.key);
  return keys;
}

}  // namespace

Cluster PointInputs::made_cluster(const Positions& at) const {
  const SweepSources& from = sources_;
  Cluster cluster = from.library_.read_cluster(from.cluster_.at(at));
  const Accelerator& chip = cluster.accelerator;
  if (from.accelerator_.has_changes())
    cluster.accelerator = read_accelerator(from.accelerator_.changed(
        from.accelerator_files_.at(chip.name), at,
        [&](const std::string& path) { return products_moved_with(chip, path); }));
  if (from.calibration_name_.is_absent()) return cluster;
  const auto measured =
      from.measured_.find({from.calibration_name_.name_at(at), from.cluster_.name_at(at)});
  if (measured != from.measured_.end()) cluster.measured = measured->second;
  return cluster;
}

std::uint64_t PointInputs::cluster_variant(const Positions& at) const {
  const SweepSources& from = sources_;
  return from.calibration_name_.variant(at,
                                        from.accelerator_.variant(at, from.cluster_.variant(at)));
}

const Cluster& PointInputs::cluster(const Positions& at) {
  return clusters_.at(cluster_variant(at), [&] { return made_cluster(at); });
}

const Model& PointInputs::model(const Positions& at) {
  return models_.at(sources_.stack_.variant(at, sources_.model_.variant(at)), [&] {
    return as_run_by(stack(at).framework_defaults, read_model(sources_.model_.at(at)));
  });
}

Flops PointInputs::model_flops(const Positions& at) {
  return model_flops_.at(sources_.stack_.variant(at, sources_.model_.variant(at)),
                         [&] { return tofn::model_flops(model(at)); });
}

StatedPlan PointInputs::read_plan_at(const Positions& at) const {
  const YamlNode document = sources_.plan_.at(at);
  const bool is_open = sources_.is_of_models() && sources_.plan_.name_at(at).empty();
  return is_open ? read_open_plan(document) : read_plan(document);
}

const StatedPlan* PointInputs::plan(const Positions& at) {
  const SweepSources& from = sources_;
  if (from.plan_.is_absent()) return nullptr;
  return &plans_.at(from.stack_.variant(at, from.plan_.variant(at)), [&] {
    StatedPlan plan =
        read_plans_.at(at, [&](const Positions& there) { return read_plan_at(there); });
    if (!from.is_of_models()) return plan;
    plan.split = as_run_by(stack(at).framework_defaults, plan.split, [&](std::string_view row) {
      return std::ranges::find(plan.stated, row) != plan.stated.end();
    });
    return plan;
  });
}

const KernelProfile& PointInputs::stack(const Positions& at) {
  return stack_.at(sources_.stack_.variant(at),
                   [&] { return read_kernel_profile(sources_.stack_.at(at)); });
}

PlanSteps& PointInputs::steps(const Positions& at) {
  const SweepSources& from = sources_;
  // The variants are compared too, because a new object may reuse the address of an old one.
  const StepThings things{&model(at),
                          &cluster(at),
                          &stack(at),
                          {from.model_.variant(at), cluster_variant(at), from.stack_.variant(at)}};
  constexpr std::size_t most_ranks = 1024;
  if (!steps_ || things != steps_of_ || steps_->size() > most_ranks)
    steps_.emplace(model(at), cluster(at), stack(at));
  steps_of_ = things;
  return *steps_;
}

const Workload& PointInputs::calibrated_workload(const Positions& at) const {
  return *sources_.workloads_.at(sources_.workload_.name_at(at));
}

const Workload& PointInputs::workload(const Positions& at) {
  if (!sources_.workload_.has_changes()) return calibrated_workload(at);
  return workloads_.at(sources_.workload_.variant(at),
                       [&] { return read_workload(sources_.workload_.at(at), sources_.configs_); });
}

void PointInputs::read(std::string_view path, const Positions& at) {
  const std::string_view thing = path.substr(0, path.find('.'));
  if (thing == "cluster" || thing == "accelerator") cluster(at);
  if (thing == "model") model(at);
  if (thing == "workload") workload(at);
  if (thing == "plan") plan(at);
  if (thing == "stack") stack(at);
}

}  // namespace sweep
}  // namespace tofn
