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
      {"ranks", &Baseline::ranks, right("ranks")},
      {"size", [](const Baseline& row) { return static_cast<long long>(row.size.base()); }},
      {"usual_gbytes_per_s", [](const Baseline& row) { return gb_per_s(row.usual); },
       right("expected GB/s", "{:.1f}")},
      {"to_pass_gbytes_per_s", [](const Baseline& row) { return gb_per_s(row.to_pass); },
       right("to pass", "{:.1f}")},
      {"tables", &Baseline::tables, right("tables")}};
  return listing_of(columns, baselines,
                    "bus bandwidth of an all-reduce of 1 GiB, as nccl-tests counts it; to pass: "
                    "one healthy system in\ntwenty is below; tables: published ones of its make, "
                    "the others are of links like its own\n");
}

}  // namespace report
}  // namespace tofn
