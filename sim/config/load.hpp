#pragma once

#include <filesystem>
#include <span>

#include "sim/cluster/cluster.hpp"
#include "sim/workload/workload.hpp"

namespace tofn {
inline namespace yaml {
class YamlNode;
}
inline namespace config {

// One file describes one object. Mistakes are InputErrors with file, line and column.

Accelerator read_accelerator(const YamlNode& root);
Accelerator load_accelerator(const std::filesystem::path&);

/// Reads a cluster. `accelerators` are those that it may name. Latencies and bandwidth efficiencies
/// that the file leaves out are those of the links' family, named by `fabric` or found by the
/// links' name.
Cluster read_cluster(const YamlNode& root, std::span<const Accelerator> accelerators,
                     std::span<const LinkFamily> families = {});
Cluster load_cluster(const std::filesystem::path&, std::span<const Accelerator> accelerators,
                     std::span<const LinkFamily> families = {});

/// Reads a workload. InputError if its layers do not sum to its parameters, or its GEMMs not to its
/// work. The model that it names is a file, or one of `configs`/models.
Workload read_workload(const YamlNode& root, const std::filesystem::path& configs);
Workload load_workload(const std::filesystem::path&, const std::filesystem::path& configs);

}  // namespace config
}  // namespace tofn
