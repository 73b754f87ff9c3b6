#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/notes.hpp"
#include "sim/report/study_report.hpp"
#include "sim/report/table_columns.hpp"
#include "sim/study/printed.hpp"

namespace tofn {
inline namespace report {
namespace {

constexpr const char* claims_heading = "claims of the study on the efficiency E'\n";

/// Words on how the printed two digits follow from the published time.
std::string difference_text(double printed, double minutes) {
  const auto is_printed = [&](double hundredths) {
    return std::abs(hundredths / 100 - printed) < 1e-6;
  };
  if (is_printed(std::round(minutes * 100))) return "the same";
  if (is_printed(std::floor(minutes * 100))) return "cut off, not rounded";
  return fmt::format("{:.2f} % off", (printed / minutes - 1) * 100);
}

std::string repeated_note(const WorkloadStudy& study) {
  const auto repeated = repeated_rows(study);
  if (repeated.empty()) return "";
  std::vector<std::string> names;
  for (const StudyRow* row : repeated) names.push_back(row->published.full_name());
  return note("repeated", fmt::format("{}: {} reports the runs of another row; both are counted",
                                      study.workload, fmt::join(names, ", ")));
}

/// Number of rows that are missing in print, and their workloads.
struct MissingRows {
  int rows = 0;
  std::string workloads;
};

std::string missing_note(const MissingRows& missing, int common) {
  if (missing.rows == 0) return "";
  std::string text =
      fmt::format("the study counts {} row fewer of {}", missing.rows, missing.workloads);
  if (missing.rows == 1 && common - printed_common_systems == 1)
    text += fmt::format(
        " and {} systems in every workload rather than {}: leaving out that row of one of these {} "
        "systems gives both; which one, its figures do not tell",
        printed_common_systems, common, common);
  return note("rows", text);
}

/// Line such as `true, but     bert falls past 16: it does not fall at every size`.
std::string claim_line(const JudgedClaim& judged) {
  const ClaimJudgement& judgement = judged.judgement;
  return note(to_text(judgement.verdict),
              fmt::format("{} {}{}{}", judged.claim->workload, judged.claim->words,
                          judgement.exception.empty() ? "" : ": ", judgement.exception));
}

}  // namespace

std::string printed_text(const StudyAnswer& answer) {
  if (!answer.is_the_studys_table) return "";
  struct Row {
    const WorkloadStudy& study;
    const PrintedWorkload& printed;
  };
  const auto rows = [](const Row& r) { return static_cast<int>(r.study.rows.size()); };
  const auto time = [](const Row& r) { return r.study.reference_row().minutes; };
  const auto printed_time = [](const Row& r) { return r.printed.reference_minutes; };
  const TableColumns<Row> columns{
      left("the study's table", [](const Row& r) { return r.study.workload; }),
      right("rows", rows),
      right("printed", [](const Row& r) { return r.printed.rows; }),
      right("reference min", time, "{:.4f}"),
      right("printed", printed_time, "{:.2f}"),
      left("", [=](const Row& r) { return difference_text(printed_time(r), time(r)); })};
  std::vector<Row> shown;
  MissingRows missing;
  std::string notes;
  for (const PrintedWorkload& printed : printed_workloads)
    for (const WorkloadStudy& study : answer.workloads) {
      if (study.workload != printed.workload) continue;
      const int more = rows(shown.emplace_back(Row{study, printed})) - printed.rows;
      notes += repeated_note(study);
      if (more == 0) continue;
      missing.rows += more;
      missing.workloads += (missing.workloads.empty() ? "" : ", ") + study.workload;
    }
  const auto common = static_cast<int>(systems_in_every_workload(answer.workloads).size());
  return table_text(columns, shown) + notes + missing_note(missing, common) + "\n";
}

std::string claims_table(const StudyAnswer& answer) {
  std::string text;
  for (const JudgedClaim& judged : answer.claims) text += claim_line(judged);
  return text.empty() ? text : claims_heading + text + '\n';
}

std::string claims_text(const StudyAnswer& answer) {
  if (answer.claims.empty()) return "";
  std::string text = claims_heading;
  for (const JudgedClaim& judged : answer.claims) {
    text += claim_line(judged);
    if (!judged.judgement.figures.empty()) text += note("", judged.judgement.figures);
  }
  return text;
}

}  // namespace report
}  // namespace tofn
