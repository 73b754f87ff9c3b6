#include "sim/core/quantity_text.hpp"
#include "sim/report/list_report.hpp"

namespace tofn {
inline namespace report {
namespace {

double gb_per_s(BytesPerSecond bandwidth) { return bandwidth.base() / 1e9; }

}  // namespace

Listing list_baselines(std::span<const Baseline> baselines) {
  const TableColumns<Baseline> columns{
      {"cluster", &Baseline::cluster, left("cluster")},
      {"accelerator", &Baseline::accelerator, left("accelerator")},
      {"nodes", &Baseline::nodes, right("nodes")},
      {"ranks", &Baseline::ranks, right("ranks"), "accelerators that take part"},
      {"size", [](const Baseline& row) { return static_cast<long long>(row.size.base()); },
       "bytes of the collective, as nccl-tests counts them"},
      {"usual_gbytes_per_s", [](const Baseline& row) { return gb_per_s(row.typical); },
       right("expected GB/s", "{:.1f}"), "bus bandwidth of a large collective on such a cluster"},
      {"to_pass_gbytes_per_s", [](const Baseline& row) { return gb_per_s(row.to_pass); },
       right("to pass", "{:.1f}"), "bus bandwidth below which one healthy system in twenty is"},
      {"tables", &Baseline::tables, right("tables"), "measured tables that it is fitted to"}};
  return listing_of(columns, baselines,
                    "bus bandwidth of an all-reduce of 1 GiB, as nccl-tests counts it; to pass: "
                    "one healthy system in\ntwenty is below; tables: published ones of its system, "
                    "the others are of links like its own\n");
}

}  // namespace report
}  // namespace tofn
