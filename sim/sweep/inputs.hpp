#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/calibration/calibration.hpp"
#include "sim/cluster/measured_machine.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/simulation/plan_steps.hpp"
#include "sim/sweep/varied_plan.hpp"

namespace tofn {
inline namespace sweep {

/// What the points of a sweep are made from: every file that it names, and for workloads what
/// published runs teach. Built once; threads share it.
class SweepSources {
 public:
  /// The cluster, answering from measured collectives of that name.
  using Measured = std::function<Cluster(const Cluster&, const std::string& calibration)>;

  /// The library must outlive it. `calibration` may be null where the sweep is of models,
  /// `measured` empty where no calibration is asked for. InputError at the place in the sweep file
  /// for a path that leads nowhere, a value that its field does not take, an unknown name.
  SweepSources(const Sweep&, const std::filesystem::path& configs, Library&, const Calibration*,
               const Measured& = {});

  const Sweep& sweep() const { return sweep_; }
  bool is_of_models() const { return !model_.is_absent(); }
  const Calibration& calibration() const { return *calibration_; }

 private:
  friend class PointInputs;
  void check_base() const;
  void check_of_workload() const;
  void check_paths();
  void read_measured(Library&, const Measured&);

  const Sweep& sweep_;
  std::filesystem::path configs_;
  const Library& library_;
  const Calibration* calibration_;
  std::map<std::string, const Workload*> workloads_;  ///< calibrated ones, by name; before those
                                                      ///< that are looked up in it
  VariedDocument workload_, model_, cluster_, accelerator_, plan_, calibration_name_, stack_;
  std::map<std::string, YamlNode> accelerator_files_;  ///< by the name that clusters use, where
                                                       ///< axes change them
  /// By calibration and cluster.
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const MeasuredMachine>> measured_;
};

/// What one point runs: things of one thread, kept while that thread asks for the same variants.
class PointInputs {
 public:
  explicit PointInputs(const SweepSources& sources)
      : sources_(sources), read_plans_(sources.plan_) {}

  /// Each throws InputError where the variant cannot be read.
  const Cluster& cluster(const Positions&);
  /// As its stack runs it, where it is a model's.
  const Model& model(const Positions&);
  Flops model_flops(const Positions&);
  const PlanFile* plan(const Positions&);  ///< null: none was asked for, of a workload
  const KernelProfile& stack(const Positions&);
  /// Of that model, on that cluster, by that stack; valid until others are asked for.
  PlanSteps& steps(const Positions&);
  const Workload& calibrated_workload(const Positions&) const;
  const Workload& workload(const Positions&);  ///< as the axes change it
  /// Reads the thing that a path begins with.
  void read(std::string_view path, const Positions&);

 private:
  Cluster made_cluster(const Positions&) const;
  PlanFile read_plan_at(const Positions&) const;
  std::uint64_t cluster_variant(const Positions&) const;

  const SweepSources& sources_;
  Varied<Cluster> clusters_;
  Varied<Model> models_;
  Varied<Flops> model_flops_;
  VariedPlan read_plans_;
  Varied<PlanFile> plans_;  ///< as stacks run them
  Varied<KernelProfile> stack_;
  Varied<Workload> workloads_;
  using StepThings =
      std::tuple<const Model*, const Cluster*, const KernelProfile*, std::array<std::uint64_t, 3>>;
  StepThings steps_of_{};
  std::optional<PlanSteps> steps_;
};

}  // namespace sweep
}  // namespace tofn
