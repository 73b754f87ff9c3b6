#include "sim/measurements/stated_placement.hpp"
#include "sim/report/calibrate_report.hpp"

namespace tofn {
inline namespace report {

Records calibrate_records(const std::vector<FittedTable>& fitted) {
  struct Row {
    const FittedTable* fitted;
    std::string_view form;
    const HeldOutError* error;  ///< null: too few rows to hold any out
  };
  std::vector<Row> rows;
  for (const FittedTable& each : fitted) {
    for (const HeldOutError& error : each.fit.candidates)
      rows.push_back({&each, error.form, &error});
    if (each.fit.candidates.empty()) rows.push_back({&each, each.fit.form, nullptr});
  }
  const auto of_table = [](auto figure) {
    return of_its(&Row::fitted, &FittedTable::table, figure);
  };
  const Columns<Row> columns{
      {"file", of_table(&CollectiveTable::file)},
      {"collective", of_table(of_its(&CollectiveTable::collective, collective_name))},
      {"ranks", of_table(&CollectiveTable::ranks)},
      {"nodes", of_table(&CollectiveTable::nodes)},
      {"rows", of_table([](const CollectiveTable& t) { return t.rows.size(); })},
      {"form", &Row::form},
      {"is_chosen", [](const Row& r) { return r.form == r.fitted->fit.form; }},
      {"held_out_median", of_its(&Row::error, &HeldOutError::median)},
      {"held_out_p90", of_its(&Row::error, &HeldOutError::ninetieth)}};
  return records_of(columns, rows);
}

}  // namespace report
}  // namespace tofn
