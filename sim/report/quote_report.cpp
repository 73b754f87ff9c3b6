#include "sim/report/quote_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/figure_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

namespace {

std::string interval_cell(const SimulatedQuote& each) {
  if (!each.interval) return "-";
  return percent(each.interval->low) + '-' + percent(each.interval->high);
}

TableColumns<SimulatedQuote> quote_columns() {
  using Row = SimulatedQuote;
  const auto over_simulated = [](const Row& r) {
    return r.quoted ? fmt::format("{:.2f}", *r.quoted / r.simulated) : "-";
  };
  const auto origin = [](const Row& r) { return r.quote.is_from_memory ? "from memory" : "read"; };
  return {
      {"quote", of_its(&Row::quote, &Quote::name), left("quote"), "quote, by its name in quotes/"},
      {"title", of_its(&Row::quote, &Quote::title)},
      {"accelerators", [](const Row& r) { return r.quote.run.accelerators.value; }, right("N")},
      {"accelerator", &Row::accelerator, left("accelerator")},
      {"efficiency", &Row::measure, left("efficiency")},
      {"quoted", &Row::quoted, right("quoted %", percent), "efficiency as it was given"},
      {"simulated", &Row::simulated, right("simulated %", percent), "efficiency as simulated"},
      {"simulated_low90", of_its(&Row::interval, &Interval::low), right("90 %", interval_cell),
       "lower end of the simulated efficiency's 90 % interval"},
      {"simulated_high90", of_its(&Row::interval, &Interval::high),
       "upper end of the simulated efficiency's 90 % interval"},
      TableColumn<Row>(right("quoted/simulated", over_simulated),
                       "quoted efficiency over the simulated one"),
      {"simulated_accelerators", &Row::accelerators, "accelerators of the simulated job"},
      {"simulated_batch", &Row::batch, "samples of a step of the simulated job"},
      {"is_from_memory", of_its(&Row::quote, &Quote::is_from_memory), left("figures", origin),
       "1 where the figures were not read in their documents"},
      {"remarks", [](const Row& r) { return fmt::format("{}", fmt::join(r.remarks, "; ")); },
       "differences from the quoted run"}};
}

}  // namespace

ExplainedRecords quote_records(const std::vector<SimulatedQuote>& quotes) {
  return records_of(quote_columns(), quotes);
}

std::string quote_text(const std::vector<SimulatedQuote>& quotes) {
  std::string remarks;
  for (const SimulatedQuote& each : quotes) {
    remarks += fmt::format("{}: {}\n", each.quote.name, each.quote.title);
    for (const std::string& remark : each.remarks) remarks += fmt::format("  - {}\n", remark);
  }
  return "quoted examples of large runs, beside simulated ones; nothing is fitted to a step of a "
         "quoted run\n" +
         table_text(quote_columns(), quotes) + '\n' + remarks;
}

}  // namespace report
}  // namespace tofn
