#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "sim/calibration/calibration.hpp"
#include "sim/config/library.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/kernel/kernel_profile.hpp"
#include "sim/model/model.hpp"
#include "sim/simulation/plan_steps.hpp"
#include "sim/sweep/varied.hpp"

namespace tofn {
inline namespace sweep {

/// What the points of a sweep are made from: every file that it names, and for workloads what
/// published runs teach. Built once; threads share it.
class SweepSources {
 public:
  /// `calibration` may be null where the sweep is of models. InputError at the place in the sweep
  /// file for a path that leads nowhere, a value that its field does not take, an unknown name.
  SweepSources(const Sweep&, const std::filesystem::path& configs, Library&, const Calibration*);

  const Sweep& sweep() const { return sweep_; }
  bool is_of_models() const { return !model_.is_absent(); }
  const Calibration& calibration() const { return *calibration_; }

 private:
  friend class PointInputs;
  void check_base() const;
  void check_paths();

  const Sweep& sweep_;
  std::filesystem::path configs_;
  const Calibration* calibration_;
  std::map<std::string, const Workload*> workloads_;  ///< calibrated ones, by name; before those
                                                      ///< that are looked up in it
  VariedDocument workload_, model_, cluster_, accelerator_, plan_, stack_;
  std::map<std::string, YamlNode> accelerator_files_;  ///< by the name that clusters use
  std::vector<Accelerator> accelerators_;
  std::vector<LinkFamily> link_families_;
};

/// What one point runs: things of one thread, kept while that thread asks for the same variants.
class PointInputs {
 public:
  explicit PointInputs(const SweepSources& sources) : sources_(sources) {}

  /// Each throws InputError where the variant cannot be read.
  const Cluster& cluster(const Positions&);
  const Model& model(const Positions&);
  Flops model_flops(const Positions&);
  const PlanFile* plan(const Positions&);  ///< null: none was asked for
  const KernelProfile& stack(const Positions&);
  /// Of that model, on that cluster, by that stack: kept while the last ones are asked for.
  PlanSteps& steps(const Positions&);
  const Workload& calibrated_workload(const Positions&) const;
  const Workload& workload(const Positions&);  ///< as the axes change it
  /// Reads the thing that a path begins with.
  void read(std::string_view path, const Positions&);

 private:
  const SweepSources& sources_;
  Varied<Cluster> clusters_;
  Varied<Model> models_;
  Varied<Flops> model_flops_;
  Varied<PlanFile> plans_;
  Varied<KernelProfile> stack_;
  Varied<Workload> workloads_;
  using StepThings =
      std::tuple<const Model*, const Cluster*, const KernelProfile*, std::array<std::uint64_t, 3>>;
  StepThings steps_of_{};
  std::optional<PlanSteps> steps_;
};

}  // namespace sweep
}  // namespace tofn
