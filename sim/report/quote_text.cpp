#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/figure_text.hpp"
#include "sim/report/quote_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {

std::string quote_text(const std::vector<SimulatedQuote>& quotes) {
  TextTable table({{"quote", Align::Left},
                   {"N"},
                   {"accelerator", Align::Left},
                   {"efficiency", Align::Left},
                   {"quoted %"},
                   {"simulated %"},
                   {"90 %"},
                   {"quoted/simulated"},
                   {"figures", Align::Left}});
  std::string remarks;
  for (const SimulatedQuote& each : quotes) {
    table.add(
        {each.quote.name, fmt::format("{}", each.quote.run.accelerators.value), each.accelerator,
         each.measure, each.quoted ? percent(*each.quoted) : "-", percent(each.simulated),
         each.interval ? percent(each.interval->low) + '-' + percent(each.interval->high) : "-",
         each.quoted ? fmt::format("{:.2f}", *each.quoted / each.simulated) : "-",
         each.quote.is_from_memory ? "from memory" : "read"});
    remarks += fmt::format("{}: {}\n", each.quote.name, each.quote.title);
    for (const std::string& remark : each.remarks) remarks += fmt::format("  - {}\n", remark);
  }
  return "quoted examples of large runs, beside simulated ones; no step of a quoted run taught "
         "what simulates it\n" +
         table.render() + '\n' + remarks;
}

}  // namespace report
}  // namespace tofn
