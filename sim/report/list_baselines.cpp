#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/report/list_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

double gb_per_s(BytesPerSecond bandwidth) { return bandwidth.base() / 1e9; }

}  // namespace

Listing list_baselines(std::span<const Baseline> baselines) {
  TextTable table({{"cluster", Align::Left},
                   {"accelerator", Align::Left},
                   {"nodes"},
                   {"ranks"},
                   {"usual GB/s"},
                   {"to pass"},
                   {"tables"}});
  for (const Baseline& each : baselines)
    table.add({each.cluster, each.accelerator, fmt::format("{}", each.nodes),
               fmt::format("{}", each.ranks), fmt::format("{:.1f}", gb_per_s(each.usual)),
               fmt::format("{:.1f}", gb_per_s(each.to_pass)), fmt::format("{}", each.tables)});
  const Columns<Baseline> columns{
      {"cluster", &Baseline::cluster},
      {"accelerator", &Baseline::accelerator},
      {"nodes", &Baseline::nodes},
      {"ranks", &Baseline::ranks},
      {"size", [](const Baseline& row) { return static_cast<long long>(row.size.base()); }},
      {"usual_gbytes_per_s", [](const Baseline& row) { return gb_per_s(row.usual); }},
      {"to_pass_gbytes_per_s", [](const Baseline& row) { return gb_per_s(row.to_pass); }},
      {"tables", &Baseline::tables}};
  return {.text = table.render() +
                  "bus bandwidth of an all-reduce of 1 GiB, as nccl-tests counts it; to pass: one "
                  "healthy system in\ntwenty is below; tables: published ones of its make, the "
                  "others are of links like its own\n",
          .records = records_of(columns, baselines)};
}

}  // namespace report
}  // namespace tofn
