#include "sim/evidence/machine_of_log.hpp"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/config/load_calibration.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "sim/core/standard_input.hpp"
#include "sim/evidence/knowledge.hpp"

namespace tofn {
inline namespace evidence {
namespace {

/// Clusters with one of the accelerators; only those of the wanted library if there are any.
std::vector<const Cluster*> clusters_with(const std::vector<const Accelerator*>& accelerators,
                                          const Library& library, CollectiveLibrary wanted) {
  std::vector<const Cluster*> found;
  for (const Cluster& cluster : library.clusters())
    if (std::ranges::any_of(accelerators, [&](const Accelerator* each) {
          return each->name == cluster.accelerator.name;
        }))
      found.push_back(&cluster);
  std::vector<const Cluster*> of_library;
  std::ranges::copy_if(found, std::back_inserter(of_library),
                       [&](const Cluster* each) { return each->library == wanted; });
  return of_library.empty() ? found : of_library;
}

/// Machine from the names of devices, in the order of their reliability.
MachineOfLog by_words(const std::vector<std::string>& devices, const std::string& source,
                      const std::filesystem::path& log, const Library& library,
                      CollectiveLibrary wanted) {
  if (!devices.empty()) {  // they decide even if no cluster has such devices
    std::vector<const Accelerator*> accelerators;
    for (const std::string& device : devices)
      for (const Accelerator* each : named_accelerators(library, device))
        accelerators.push_back(each);
    return {clusters_with(accelerators, library, wanted),
            fmt::format("its rank lines ('{}')", fmt::join(devices, "', '"))};
  }
  if (const auto named = named_accelerators(library, source); !named.empty())
    return {clusters_with(named, library, wanted), "its source line"};
  if (const auto named = named_accelerators(library, log.filename().string()); !named.empty())
    return {clusters_with(named, library, wanted),
            fmt::format("the file's name '{}'", log.filename().string())};
  return {};
}

}  // namespace

std::vector<std::string> devices_of_ranks(const std::string& log) {
  std::vector<std::string> devices;
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t device = line.find(" device ");
    const std::size_t end = line.find(']', device == line.npos ? line.size() : device);
    if (line.find("Rank ") == line.npos || end == line.npos) continue;
    const std::size_t first = line.find_first_not_of(" \t\r", end + 1);
    if (first == line.npos) continue;
    std::string name = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
    if (std::ranges::find(devices, name) == devices.end()) devices.push_back(std::move(name));
  }
  return devices;
}

MachineOfLog machine_of_log(const CollectiveTable& table, const std::filesystem::path& log,
                            const Library& library, const Knowledge& knowledge) {
  if (is_yaml(log)) {  // a calibration
    const std::string name = load_calibration(log).cluster;
    if (const Cluster* stated = library.find_cluster(name)) return {{stated}, "it states it"};
  }
  for (const KnownTable& each : knowledge.known)
    if (each.cluster != nullptr && has_same_rows(each.table, table))
      return {{each.cluster},
              fmt::format("its rows are those of the shipped calibration '{}'", each.laboratory)};
  return by_words(devices_of_ranks(read_text_file(log)), table.source, log, library,
                  is_of_mpi(table) ? CollectiveLibrary::Mpi : CollectiveLibrary::Nccl);
}

void require_machine_of_log(const Cluster& cluster, const std::filesystem::path& log,
                            const Library& library) {
  if (is_yaml(log) || library.find_accelerator(cluster.accelerator.name) == nullptr) return;
  const std::vector<std::string> devices = devices_of_ranks(read_text_file(log));
  bool are_known = false;
  for (const std::string& device : devices)
    for (const Accelerator* each : named_accelerators(library, device)) {
      if (each->own_die() == cluster.accelerator.own_die()) return;
      are_known = true;
    }
  if (are_known)
    throw InputError({}, "--cluster",
                     fmt::format("{} has {}, but the log's rank lines say '{}'", cluster.name,
                                 cluster.accelerator.name, fmt::join(devices, "', '")));
}

std::string which_cluster(const MachineOfLog& machine) {
  if (machine.by.empty())
    return "neither rank lines, a source line nor the file's name says which cluster it is: give "
           "--cluster";
  if (machine.candidates.empty())
    return fmt::format("no cluster has the accelerator of {}: give --cluster", machine.by);
  std::vector<std::string> names;
  for (const Cluster* each : machine.candidates) names.push_back(each->name);
  return fmt::format("give --cluster, one with the accelerator of {}: {}", machine.by,
                     choices(names));
}

}  // namespace evidence
}  // namespace tofn
