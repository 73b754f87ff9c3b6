#include "sim/answers/energy_answer.hpp"

#include <algorithm>

namespace tofn {
inline namespace answers {

std::vector<MeteredRun> energy_answer(Shipped& shipped, const std::filesystem::path& file) {
  const CsvTable table = read_metered_table(file);
  std::vector<std::string> rounds;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (std::ranges::find(rounds, table.at(row, "published")) == rounds.end())
      rounds.push_back(table.at(row, "published"));
  std::vector<MeteredRun> runs;
  for (const std::string& round : rounds) {
    const auto rows = shipped.resolved(shipped.configs() / "published" / (round + ".csv"));
    for (MeteredRun& run : metered_runs(table, round, rows, backtest(rows, shipped.rows(), {})))
      runs.push_back(std::move(run));
  }
  leave_machines_out(runs);
  return runs;
}

}  // namespace answers
}  // namespace tofn
