#include "sim/evidence/measured_cluster.hpp"

#include "sim/config/named_file.hpp"
#include "sim/core/error.hpp"
#include "sim/validation/lint.hpp"

namespace tofn {
inline namespace evidence {

namespace fs = std::filesystem;

CollectiveCalibration find_calibration(const fs::path& configs, const std::string& name_or_file) {
  return load_calibration(file_named(configs, "calibrations", "calibration", name_or_file));
}

Cluster measured_cluster(const Cluster& cluster, Library& library, const fs::path& configs,
                         const std::string& name_or_file) {
  const CollectiveCalibration calibration = find_calibration(configs, name_or_file);
  for (const CollectiveTable& table : calibration.tables)
    if (const Faults faults = faults_of(table); !faults.impossible.empty())
      throw InputError({name_or_file}, table.file, faults.impossible);
  const bool is_what_if = !calibration.cluster.empty() && calibration.cluster != cluster.name;
  std::optional<Cluster> on;
  if (is_what_if) on = library.cluster(calibration.cluster);
  Cluster result = cluster;
  result.measured = std::make_shared<const MeasuredMachine>(
      MeasuredMachine{calibration.name, MeasuredCollectives(calibration.tables), std::move(on)});
  return result;
}

}  // namespace evidence
}  // namespace tofn
