#include "sim/report/quote_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/figure_text.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {

std::string quote_text(const std::vector<SimulatedQuote>& quotes) {
  TextTable table({{"quote", Align::Left},
                   {"N"},
                   {"accelerator", Align::Left},
                   {"efficiency", Align::Left},
                   {"quoted %"},
                   {"simulated %"},
                   {"90 %"},
                   {"quoted/simulated"}});
  std::string remarks;
  for (const SimulatedQuote& each : quotes) {
    table.add(
        {each.quote.name, fmt::format("{}", each.quote.run.accelerators.value), each.accelerator,
         each.measure, each.quoted ? percent(*each.quoted) : "-", percent(each.simulated),
         each.interval ? percent(each.interval->low) + '-' + percent(each.interval->high) : "-",
         each.quoted ? fmt::format("{:.2f}", *each.quoted / each.simulated) : "-"});
    remarks += fmt::format("{}: {}\n", each.quote.name, each.quote.title);
    for (const std::string& remark : each.remarks) remarks += fmt::format("  - {}\n", remark);
  }
  return "quoted examples of large runs, beside simulated ones (formulas; nothing is fitted to "
         "them)\n" +
         table.render() + '\n' + remarks;
}

Records quote_records(const std::vector<SimulatedQuote>& quotes) {
  using Row = SimulatedQuote;
  const Columns<Row> columns{
      {"quote", of_its(&Row::quote, &Quote::name)},
      {"title", of_its(&Row::quote, &Quote::title)},
      {"accelerators", [](const Row& r) { return r.quote.run.accelerators.value; }},
      {"accelerator", &Row::accelerator},
      {"efficiency", &Row::measure},
      {"quoted", &Row::quoted},
      {"simulated", &Row::simulated},
      {"simulated_low90", of_its(&Row::interval, &Interval::low)},
      {"simulated_high90", of_its(&Row::interval, &Interval::high)},
      {"simulated_accelerators", &Row::accelerators},
      {"simulated_batch", &Row::batch},
      {"remarks", [](const Row& r) { return fmt::format("{}", fmt::join(r.remarks, "; ")); }}};
  return records_of(columns, quotes);
}

}  // namespace tofn
