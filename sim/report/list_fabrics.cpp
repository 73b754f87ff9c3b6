#include <fmt/format.h>

#include "sim/core/name_table.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/report/list_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {

Listing list_fabrics(std::span<const LinkFamily> families) {
  TextTable table({{"fabric", Align::Left},
                   {"tier", Align::Left},
                   {"tables"},
                   {"of the bandwidth"},
                   {"latency"},
                   {"filling"}});
  for (const LinkFamily& each : families)
    table.add({each.name, std::string(name_in(link_tiers, each.tier)),
               fmt::format("{}", each.tables),
               fmt::format("{:.3g}", each.learnt_efficiency().value),
               to_text(each.learnt_latency().value), fmt::format("{:.3g}", each.filling_factor)});
  using Row = LinkFamily;
  const Columns<Row> columns{
      {"fabric", &Row::name},
      {"tier", [](const Row& row) { return std::string(name_in(link_tiers, row.tier)); }},
      {"tables", &Row::tables},
      {"bandwidth_efficiency", [](const Row& row) { return row.learnt_efficiency().value; }},
      {"latency_us", [](const Row& row) { return row.learnt_latency().value.base() * 1e6; }},
      {"latency_factor", &Row::latency_factor},
      {"bandwidth_factor", &Row::bandwidth_factor},
      {"filling_factor", &Row::filling_factor}};
  return {.text = table.render() +
                  "tables: published ones of such links, which taught the rest, 0: none, the mean "
                  "over all\nlinks; of the bandwidth, latency: of clusters whose files state none; "
                  "filling: times\nthat pipelines take to fill over those of H100\n",
          .records = records_of(columns, families)};
}

}  // namespace report
}  // namespace tofn
