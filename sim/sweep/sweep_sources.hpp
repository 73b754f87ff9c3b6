#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/calibration/calibration.hpp"
#include "sim/cluster/measured_machine.hpp"
#include "sim/config/library.hpp"
#include "sim/sweep/varied.hpp"

namespace tofn {
inline namespace sweep {

/// Sources of a sweep's points: every file that it names, and for workloads the fits to published
/// runs. Built once and shared by threads.
class SweepSources {
 public:
  /// Returns the cluster with the measured collectives of that name.
  using Measured = std::function<Cluster(const Cluster&, const std::string& calibration)>;

  /// The library must outlive this object. `calibration` may be null in a sweep of models, and
  /// `measured` empty if no calibration is requested. InputError with the place in the sweep file
  /// for an unknown path or name, or a value that a field does not take.
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
  std::map<std::string, const Workload*> workloads_;  ///< calibrated ones, by name; declared before
                                                      ///< the documents whose look-ups fill it
  VariedDocument workload_, model_, cluster_, accelerator_, plan_, calibration_name_, stack_;
  /// Files of accelerators by the name that clusters use; empty unless axes change accelerators.
  std::map<std::string, YamlNode> accelerator_files_;
  /// Measured machines by calibration and cluster.
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const MeasuredMachine>> measured_;
};

}  // namespace sweep
}  // namespace tofn
