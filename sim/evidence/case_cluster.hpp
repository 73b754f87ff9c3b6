#pragma once

#include "sim/cluster/cluster.hpp"
#include "sim/config/library.hpp"
#include "sim/core/csv_row.hpp"

namespace tofn {
inline namespace evidence {

/// The machine of a row that names its `accelerator` and `gpus_per_node` (8 unless it says so)
/// alone: of the clusters with that accelerator and so many a node the vendor's own (dgx), else one
/// of its reference designs (hgx), else the first by name. Where none has so many a node, the one
/// with that accelerator cut or grown to them; where none has the accelerator, one whose
/// accelerators have the same scale-up link. InputError at the cell where there is none at all.
Cluster case_cluster(const CsvRow&, const Library&);

}  // namespace evidence
}  // namespace tofn
