#include "sim/answers/slow_cases_answer.hpp"

#include "sim/core/csv.hpp"
#include "sim/core/row_named.hpp"
#include "sim/evidence/collective_tables.hpp"

namespace tofn {
inline namespace answers {
namespace {

std::size_t first_row_of(const CsvTable& csv, const std::string& source) {
  std::size_t row = 0;
  while (csv.at(row, "source") != source) ++row;
  return row;
}

std::string known_cause(const CsvTable& csv, std::size_t row) {
  const Location place = csv.location(row, "cause");
  return std::string(row_named(causes(), "cause", csv.at(row, "cause"), place, "cause").name);
}

}  // namespace

std::vector<SlowCase> slow_cases_answer(const std::filesystem::path& file, Library& library,
                                        const Knowledge& knowledge) {
  const CsvTable csv = CsvTable::read(file);
  std::vector<SlowCase> cases;
  for (CollectiveTable& table : read_collective_tables(file, {}).tables) {
    const std::size_t row = first_row_of(csv, table.source);
    table.file = table.source;
    const Cluster& cluster = library.cluster(csv.at(row, "cluster"));
    TableJudgement judgement = judge(table, cluster, knowledge);
    cases.push_back({std::move(table), known_cause(csv, row), std::move(judgement)});
  }
  return cases;
}

}  // namespace answers
}  // namespace tofn
