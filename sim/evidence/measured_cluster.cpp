#include "sim/evidence/measured_cluster.hpp"

#include <algorithm>
#include <utility>

#include "sim/cluster/measured_machine.hpp"
#include "sim/core/error.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/validation/lint.hpp"
#include "sim/yaml/named_file.hpp"

namespace tofn {
inline namespace evidence {

namespace fs = std::filesystem;

CollectiveCalibration find_calibration(const fs::path& configs, const std::string& name_or_file) {
  if (fs::is_regular_file(name_or_file) && !is_yaml(name_or_file))
    throw InputError({name_or_file}, {},
                     "is no calibration: `tofn calibrate` makes one of logs and records");
  return load_calibration(file_named(configs, "calibrations", "calibration", name_or_file));
}

Cluster measured_cluster(const Cluster& cluster, Library& library, const fs::path& configs,
                         const std::string& name_or_file) {
  const CollectiveCalibration calibration = find_calibration(configs, name_or_file);
  for (const CollectiveTable& table : calibration.tables)
    if (const Faults faults = faults_of(table); !faults.impossible.empty())
      throw InputError({name_or_file}, table.file, faults.impossible);
  if (const std::string twice = measured_twice(calibration.tables); !twice.empty())
    throw InputError({name_or_file}, "tables", twice);
  const bool is_what_if = !calibration.cluster.empty() && calibration.cluster != cluster.name;
  std::optional<Cluster> on;
  if (is_what_if) on = library.cluster(calibration.cluster);
  Cluster result = cluster;
  result.measured = std::make_shared<const MeasuredMachine>(
      MeasuredMachine{calibration.name, MeasuredCollectives(calibration.tables), std::move(on)});
  return result;
}

std::string calibration_of(const Knowledge& knowledge, const Cluster& cluster, CollectiveKind kind,
                           int ranks, Bytes size) {
  const auto can_all_be_true = [&](const std::string& calibration) {
    return std::ranges::none_of(knowledge.known, [&](const auto& each) {
      return each.laboratory == calibration && !faults_of(each.table).impossible.empty();
    });
  };
  const auto outside = [size](const CollectiveTable& table) {
    return std::max({1.0, table.rows.front().size / size, size / table.rows.back().size});
  };
  const auto rank = [&](const CollectiveTable& table) {
    return std::pair(-outside(table), table.rows.size());
  };
  const KnownTable* best = nullptr;
  for (const KnownTable& known : knowledge.known) {
    const CollectiveTable& table = known.table;
    if (known.cluster == nullptr || known.cluster->name != cluster.name) continue;
    if (table.collective != kind || table.ranks != ranks || table.nodes != cluster.nodes_of(ranks))
      continue;
    if (!table.algorithm.empty() || !table.protocol.empty())
      continue;  // a forced algorithm, not the library's choice
    if (best != nullptr && rank(table) < rank(best->table)) continue;
    if (can_all_be_true(known.laboratory)) best = &known;
  }
  return best == nullptr ? "" : best->laboratory;
}

}  // namespace evidence
}  // namespace tofn
