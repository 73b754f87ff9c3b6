#pragma once

#include <filesystem>
#include <span>

#include "sim/cluster/cluster.hpp"
#include "sim/workload/workload.hpp"

namespace tofn {
inline namespace config {

class YamlNode;

// One file = one thing. Mistakes are InputErrors at file, line and column.

Accelerator read_accelerator(const YamlNode& root);
Accelerator load_accelerator(const std::filesystem::path&);

/// `accelerators` are those a cluster file may name.
/// Latencies and bandwidth efficiencies that it leaves out are those of the links' family, which
/// `fabric` names, or else what the links are called.
Cluster read_cluster(const YamlNode& root, std::span<const Accelerator> accelerators,
                     std::span<const LinkFamily> families = {});
Cluster load_cluster(const std::filesystem::path&, std::span<const Accelerator> accelerators,
                     std::span<const LinkFamily> families = {});

/// Refuses a workload whose layers do not sum to its parameters or whose GEMMs are not its work. A
/// model that it names is a file, or one of `configs`/models.
Workload read_workload(const YamlNode& root, const std::filesystem::path& configs);
Workload load_workload(const std::filesystem::path&, const std::filesystem::path& configs);

}  // namespace config
}  // namespace tofn
