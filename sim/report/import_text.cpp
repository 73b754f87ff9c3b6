#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/report/import_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

template <class T>
std::string cell(const std::optional<T>& value, int digits) {
  return value ? fmt::format("{:.{}f}", static_cast<double>(*value), digits) : "-";
}

}  // namespace

std::string import_summary(const ImportedRounds& rounds) {
  return fmt::format("{} rows of {} files ({}); {} lines damaged, {} files without run_stop\n",
                     rounds.rows.size(), rounds.files,
                     to_text(Bytes{static_cast<double>(rounds.bytes)}), rounds.damaged_lines,
                     rounds.truncated_files);
}

std::string import_text(const ImportedRounds& rounds) {
  TextTable table({{"system", Align::Left},
                   {"benchmark", Align::Left},
                   {"N"},
                   {"runs"},
                   {"failed"},
                   {"minutes"},
                   {"scaling"},
                   {"batch"},
                   {"samples"},
                   {"step ms"},
                   {"step from", Align::Left}});
  for (const ImportedRow& row : rounds.rows)
    table.add({row.organisation + "/" + row.system, row.benchmark, cell(row.accelerators, 0),
               fmt::format("{}", row.runs), fmt::format("{}", row.failed_runs),
               cell(row.minutes, 4), fmt::format("{:.5g}", row.scaling_factor),
               cell(row.global_batch, 0), cell(row.samples, 0), cell(row.step_ms, 3),
               row.step_source});
  return table.render() + import_summary(rounds);
}

}  // namespace report
}  // namespace tofn
