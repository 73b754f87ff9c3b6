#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/words.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/study_report.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string cluster_table(const std::optional<ClusterSearch>& search) {
  if (!search) return "clusters: too few distinct systems\n";
  std::vector<std::string> tried;
  for (const auto& [count, score] : search->silhouettes)
    tried.push_back(fmt::format("{}: {:.3f}", count, score));
  return fmt::format("{} clusters of (log2 N, E'), silhouette {:.3f} (tried {})\n{}",
                     search->clusters.size(), search->silhouette, fmt::join(tried, ", "),
                     clusters_table(*search));
}

/// Note on E' of full servers, which differs only by accelerator: the part of E' that is not
/// scaling.
std::string generations_note(const WorkloadStudy& study) {
  std::vector<std::string> names;
  std::string parts;
  for (const StudyRow& row : study.rows) {
    if (row.accelerators() != server_accelerators) continue;
    if (std::ranges::find(names, row.accelerator) != names.end()) continue;
    names.push_back(row.accelerator);
    parts += fmt::format("{}{} {:.3f}", parts.empty() ? "" : ", ", row.accelerator,
                         row.relative_efficiency);
  }
  if (names.size() < 2) return "";
  return fmt::format("E' mixes accelerators: the best at {} is {}, over a reference of {}\n",
                     server_accelerators, parts, study.reference_row().accelerator);
}

std::string workload_text(const WorkloadStudy& study, const std::optional<ClusterSearch>& search) {
  const StudyRow& reference = study.reference_row();
  return fmt::format("{}: {} rows; reference {}, {} x {}, {:.4f} min\n{}{}{}\n", study.workload,
                     study.rows.size(), reference.published.full_name(), reference.accelerators(),
                     reference.accelerator, reference.minutes, study_rows_table(study),
                     generations_note(study), cluster_table(search));
}

std::string efficiencies_note() {
  return note("E'",
              "(T_ref / T) / (N / N_ref); own: within the accelerator; SE: against the median "
              "system with 8 of the same accelerator");
}

std::string common_systems_text(const StudyAnswer& answer) {
  if (answer.workloads.size() < 2) return "";
  const auto names = systems_in_every_workload(answer.workloads);
  return note("in all", fmt::format("{} systems have every workload: {}", names.size(),
                                    fmt::join(names, ", ")));
}

/// Words such as `10 to 20`; one number if both round to it.
std::string range_words(double from, double to) {
  const std::string first = fmt::format("{:.0f}", from);
  const std::string last = fmt::format("{:.0f}", to);
  return first == last ? first : first + " to " + last;
}

/// Sentence on the efficiency that the largest systems keep, relative to the smallest ones of their
/// accelerator.
std::string study_sentence(const StudyAnswer& answer) {
  std::size_t rows = 0;
  double least = 1e9;
  double most = 0;
  int fewest = answer.workloads.front().rows.back().accelerators();
  int largest = 0;
  for (const WorkloadStudy& study : answer.workloads) {
    rows += study.rows.size();
    const StudyRow& last = study.rows.back();
    least = std::min(least, last.own_efficiency);
    most = std::max(most, last.own_efficiency);
    fewest = std::min(fewest, last.accelerators());
    largest = std::max(largest, last.accelerators());
  }
  return fmt::format(
      "{} of {}: the largest systems, {} accelerators, keep {} % of the efficiency of the smallest "
      "with the same accelerator\n\n",
      counted(rows, "published run"), counted(answer.workloads.size(), "workload"),
      range_words(fewest, largest), range_words(100 * least, 100 * most));
}

}  // namespace

TableColumns<WorkloadStudy> largest_columns() {
  using Row = WorkloadStudy;
  const auto of_reference = [](auto figure) { return of_its(&Row::reference_row, figure); };
  const auto of_last = [](auto figure) {
    return of_its([](const Row& row) { return &row.rows.back(); }, figure);
  };
  return {
      left("workload", &Row::workload),
      right("rows", [](const Row& row) { return row.rows.size(); }),
      {right("N_ref", of_reference(&StudyRow::accelerators)), "accelerators of the reference"},
      right("minutes", of_reference(&StudyRow::minutes), short_figure),
      {right("largest N", of_last(&StudyRow::accelerators)), "accelerators of the largest system"},
      right("minutes", of_last(&StudyRow::minutes), short_figure),
      right("speedup", of_last(&StudyRow::speedup), short_figure),
      right("E'", of_last(&StudyRow::relative_efficiency), "{:.3f}"),
      right("own", of_last(&StudyRow::own_efficiency), "{:.3f}"),
      right("SE", of_last(&StudyRow::scaling_efficiency), "{:.3f}")};
}

AnswerText study_text(const StudyAnswer& answer) {
  AnswerText text;
  if (answer.workloads.empty()) return {.screen = "No row with a time to train\n"};
  text.screen = study_sentence(answer) + table_text(largest_columns(), answer.workloads) +
                efficiencies_note();
  if (answer.rows_without_time > 0)
    text.screen +=
        note("left out", fmt::format("{} rows without a time to train", answer.rows_without_time));
  std::vector<std::string> next{"--details for rows, clusters, losses and evidence of claims"};
  if (answer.workloads.size() > 1)
    next.push_back("--workload " + answer.workloads.front().workload);
  text.screen +=
      '\n' + largest_losses_text(answer.losses) + claims_table(answer) + listed_note("next", next);
  for (std::size_t w = 0; w < answer.workloads.size(); ++w)
    text.details += workload_text(answer.workloads[w], answer.clusters[w]);
  if (answer.together)
    text.details += fmt::format("all workloads: {} rows\n{}", answer.together->rows.size(),
                                cluster_table(answer.all_clusters));
  text.details += note("clusters",
                       "K-means, named by what separates them: accelerators that no other "
                       "has, else N, else E'") +
                  common_systems_text(answer) + '\n' + losses_text(answer.losses) +
                  printed_text(answer) + claims_text(answer);
  return text;
}

}  // namespace report
}  // namespace tofn
