#include "sim/app/validate_energy.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/app/published_data.hpp"
#include "sim/config/library.hpp"
#include "sim/published/metered_runs.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
namespace {

std::vector<MeteredRun> all_runs(const CommonOptions& common, const CsvTable& table,
                                 Resolver& resolver) {
  const auto background = shipped_rows(common.configs, resolver);
  std::vector<std::string> rounds;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (std::find(rounds.begin(), rounds.end(), table.at(row, "published")) == rounds.end())
      rounds.push_back(table.at(row, "published"));
  std::vector<MeteredRun> runs;
  for (const std::string& round : rounds) {
    const auto resolved =
        resolver.resolve(read_published_table(common.configs / "published" / (round + ".csv")));
    for (MeteredRun& run : metered_runs(table, round, resolved, backtest(resolved, background, {})))
      runs.push_back(std::move(run));
  }
  return runs;
}

std::string text_of(const std::vector<MeteredRun>& runs) {
  TextTable table({{"metered run", Align::Left},
                   {"benchmark", Align::Left},
                   {"N"},
                   {"use", Align::Left},
                   {"kWh"},
                   {"pred."},
                   {"err %"},
                   {"W a node"},
                   {"pred."},
                   {"err %"},
                   {"time err %"}});
  for (const MeteredRun& run : runs)
    table.add({fitted(run.name, 36), run.benchmark, fmt::format("{}", run.accelerators), run.use,
               fmt::format("{:.3f}", run.energy.base() / 3.6e6),
               fmt::format("{:.3f}", run.predicted_energy().nodes().base() / 3.6e6),
               signed_percent(run.energy_error()), fmt::format("{:.0f}", run.power().base()),
               fmt::format("{:.0f}", run.predicted_power().base()),
               signed_percent(run.power_error()), signed_percent(run.time_error())});
  return table.render() +
         "  of the nodes at the wall, without switches and facility; energy errors are those of "
         "time "
         "and power together\n";
}

Records records_of(const std::vector<MeteredRun>& runs) {
  using Run = MeteredRun;
  const Columns<Run> columns{
      {"system", &Run::name},
      {"benchmark", &Run::benchmark},
      {"accelerators", &Run::accelerators},
      {"use", &Run::use},
      {"time_min", [](const Run& r) { return r.time.base() / 60; }},
      {"predicted_time_min", [](const Run& r) { return r.predicted.total().base() / 60; }},
      {"energy_kwh", [](const Run& r) { return r.energy.base() / 3.6e6; }},
      {"predicted_energy_kwh",
       [](const Run& r) { return r.predicted_energy().nodes().base() / 3.6e6; }},
      {"node_w", [](const Run& r) { return r.power().base(); }},
      {"predicted_node_w", [](const Run& r) { return r.predicted_power().base(); }},
      {"utilisation", of_its(&Run::predicted, utilisation)}};
  return records_of(columns, runs);
}

}  // namespace

int validate_energy(const CommonOptions& common, const std::filesystem::path& file) {
  const CsvTable table = CsvTable::read(file);
  const Library library = Library::load(common.configs);
  Resolver resolver(library);
  const auto runs = all_runs(common, table, resolver);
  write_answer(common, text_of(runs), records_of(runs));
  return 0;
}

}  // namespace tofn
