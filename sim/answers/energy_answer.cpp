#include "sim/answers/energy_answer.hpp"

#include <algorithm>

#include "sim/answers/published_data.hpp"

namespace tofn {
inline namespace answers {

std::vector<MeteredRun> energy_answer(const std::filesystem::path& configs,
                                      const std::filesystem::path& file) {
  const CsvTable table = CsvTable::read(file);
  const Library library = Library::load(configs);
  Resolver resolver(library);
  const auto background = shipped_rows(configs, resolver);
  std::vector<std::string> rounds;
  for (std::size_t row = 0; row < table.rows(); ++row)
    if (std::find(rounds.begin(), rounds.end(), table.at(row, "published")) == rounds.end())
      rounds.push_back(table.at(row, "published"));
  std::vector<MeteredRun> runs;
  for (const std::string& round : rounds) {
    const auto resolved =
        resolver.resolve(read_published_table(configs / "published" / (round + ".csv")));
    for (MeteredRun& run : metered_runs(table, round, resolved, backtest(resolved, background, {})))
      runs.push_back(std::move(run));
  }
  leave_machines_out(runs);
  return runs;
}

}  // namespace answers
}  // namespace tofn
