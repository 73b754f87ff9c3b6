#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/quote_report.hpp"

namespace tofn {
inline namespace report {

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
      {"is_from_memory", of_its(&Row::quote, &Quote::is_from_memory)},
      {"remarks", [](const Row& r) { return fmt::format("{}", fmt::join(r.remarks, "; ")); }}};
  return records_of(columns, quotes);
}

}  // namespace report
}  // namespace tofn
