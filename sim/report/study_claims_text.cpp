#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/notes.hpp"
#include "sim/report/study_report.hpp"
#include "sim/report/text_table.hpp"
#include "sim/study/printed.hpp"

namespace tofn {
inline namespace report {
namespace {

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

/// Line such as `true, but     bert: falls past 16`.
std::string claim_line(const JudgedClaim& judged) {
  return note(to_text(judged.judgement.verdict),
              fmt::format("{}: {}", judged.claim->workload, judged.claim->words));
}

}  // namespace

std::string printed_text(const StudyAnswer& answer) {
  if (!answer.is_the_studys_table) return "";
  TextTable table({{"the study's table", Align::Left},
                   {"rows"},
                   {"printed"},
                   {"reference min"},
                   {"printed"},
                   {"", Align::Left}});
  MissingRows missing;
  std::string notes;
  for (const PrintedWorkload& printed : printed_workloads)
    for (const WorkloadStudy& study : answer.workloads) {
      if (study.workload != printed.workload) continue;
      const double time = study.reference_row().minutes;
      const int rows = static_cast<int>(study.rows.size());
      table.add({study.workload, fmt::format("{}", rows), fmt::format("{}", printed.rows),
                 fmt::format("{:.4f}", time), fmt::format("{:.2f}", printed.reference_minutes),
                 difference_text(printed.reference_minutes, time)});
      notes += repeated_note(study);
      if (rows == printed.rows) continue;
      missing.rows += rows - printed.rows;
      missing.workloads += (missing.workloads.empty() ? "" : ", ") + study.workload;
    }
  const auto common = static_cast<int>(systems_in_every_workload(answer.workloads).size());
  return table.render() + notes + missing_note(missing, common) + "\n";
}

std::string claims_table(const StudyAnswer& answer) {
  std::string text;
  for (const JudgedClaim& judged : answer.claims) text += claim_line(judged);
  return text.empty() ? text : "claims of the study\n" + text + '\n';
}

std::string claims_text(const StudyAnswer& answer) {
  if (answer.claims.empty()) return "";
  std::string text = "claims of the study\n";
  for (const JudgedClaim& judged : answer.claims) {
    text += claim_line(judged);
    if (!judged.judgement.figures.empty()) text += note("", judged.judgement.figures);
  }
  return text;
}

}  // namespace report
}  // namespace tofn
