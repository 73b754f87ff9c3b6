#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/report/list_report.hpp"

namespace tofn {
inline namespace report {

Listing list_fabrics(std::span<const LinkFamily> families) {
  using Row = LinkFamily;
  const TableColumns<Row> columns{
      {"fabric", &Row::name, left("fabric"), "family of links, by its name in fabrics/"},
      {"tier", [](const Row& row) { return name_in(link_tiers, row.tier); }, left("tier"),
       "scale-up fabric or network"},
      {"tables", &Row::tables, right("tables")},
      {"bandwidth_efficiency", [](const Row& row) { return row.learned_efficiency().value; },
       right("of the bandwidth", "{:.3g}"), "share of the links' rate that large messages reach"},
      {"latency_us", [](const Row& row) { return row.learned_latency().value.base() * 1e6; },
       right("latency", [](const Row& row) { return to_text(row.learned_latency().value); }),
       "latency of one hop, in microseconds"},
      {"latency_factor", &Row::latency_factor},
      {"bandwidth_factor", &Row::bandwidth_factor,
       "factor of links on the time of bytes, so that 1.1 is a tenth less bandwidth"},
      {"filling_factor", &Row::filling_factor, right("filling", "{:.3g}"),
       "factor on the time that pipelines take to fill"}};
  return listing_of(
      columns, families,
      "tables: published ones of such links, to which the rest is fitted, 0: none, the "
      "mean over all\nlinks; of the bandwidth, latency: of clusters whose files state "
      "none; filling: times\nthat pipelines take to fill over those of H100\n");
}

}  // namespace report
}  // namespace tofn
