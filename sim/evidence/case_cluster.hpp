#pragma once

#include "sim/cluster/cluster.hpp"
#include "sim/config/library.hpp"
#include "sim/core/csv_row.hpp"

namespace tofn {
inline namespace evidence {

/// Cluster of a row that states only its `accelerator` and `gpus_per_node` (default 8). Of the
/// clusters with that accelerator and node size, it is the vendor's own (dgx), else one of its
/// reference designs (hgx), else the first by name. If none has that node size, a cluster with the
/// accelerator is cut or grown to it; if none has the accelerator, one whose accelerators have the
/// same scale-up link. InputError at the cell if there is no such cluster.
Cluster case_cluster(const CsvRow&, const Library&);

}  // namespace evidence
}  // namespace tofn
