#include <fmt/format.h>

#include "sim/answers/scorecard_answer.hpp"
#include "sim/app/validate.hpp"
#include "sim/report/scorecard_report.hpp"

namespace tofn {
inline namespace app {

int validate_all(const Asked& asked) {
  const auto rows = scorecard_answer(asked.common.configs);
  const Records records = scorecard_records(rows);
  if (!asked.against) {
    write_answer(asked.common, scorecard_text(rows), records);
    return 0;
  }
  const CsvTable before = CsvTable::read(*asked.against);
  const ScorecardChanges changes = scorecard_changes(before, CsvTable::parse(to_csv(records), ""));
  std::string text = scorecard_text(rows) + changes_text(changes);
  if (changes.worse.empty() && !changes.better.empty())
    text += fmt::format("to keep what is better: tofn validate all -o {}\n", *asked.against);
  write_answer(asked.common, text, records);
  return changes.worse.empty() ? 0 : 1;
}

}  // namespace app
}  // namespace tofn
