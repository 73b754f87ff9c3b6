#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/study_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string minutes_text(double value) { return fmt::format("{:.{}f}", value, value < 10 ? 3 : 2); }

std::string samples_text(const std::optional<double>& samples) {
  if (!samples) return "-";
  return *samples >= 1e6 ? fmt::format("{:.3f}M", *samples / 1e6) : fmt::format("{:.0f}", *samples);
}

std::string row_table(const WorkloadStudy& study) {
  TextTable table({{"system", Align::Left},
                   {"chip", Align::Left},
                   {"N"},
                   {"min"},
                   {"speedup"},
                   {"E'"},
                   {"own"},
                   {"SE"},
                   {"batch"},
                   {"samples"},
                   {"step ms"}});
  for (const StudyRow& row : study.rows) {
    const auto& outcome = row.published.outcome;
    table.add({fitted(row.published.full_name(), 26), fitted(row.accelerator, 9),
               fmt::format("{}", row.accelerators()), minutes_text(row.minutes),
               fmt::format("{:.2f}", row.speedup), fmt::format("{:.3f}", row.relative_efficiency),
               fmt::format("{:.3f}", row.own_efficiency),
               row.scaling_efficiency ? fmt::format("{:.3f}", *row.scaling_efficiency) : "-",
               fmt::format("{:g}", row.published.inputs.global_batch),
               samples_text(outcome.samples),
               outcome.step_ms ? fmt::format("{:.1f}", *outcome.step_ms) : "-"});
  }
  return table.render();
}

std::string cluster_table(const std::optional<ClusterSearch>& search) {
  if (!search) return "clusters: too few distinct systems\n";
  std::vector<std::string> tried;
  for (const auto& [count, score] : search->silhouettes)
    tried.push_back(fmt::format("{}: {:.3f}", count, score));
  TextTable table({{"cluster", Align::Left}, {"systems"}, {"N"}, {"centre"}, {"E'"}, {"centre"}});
  for (const SystemCluster& cluster : search->clusters)
    table.add({fitted(cluster.name, 48), fmt::format("{}", cluster.members.size()),
               cluster.fewest == cluster.most ? fmt::format("{}", cluster.most)
                                              : fmt::format("{}-{}", cluster.fewest, cluster.most),
               fmt::format("{:.1f}", cluster.centre_accelerators),
               fmt::format("{:.3f}-{:.3f}", cluster.efficiency.low, cluster.efficiency.high),
               fmt::format("{:.3f}", cluster.centre_efficiency)});
  return fmt::format("{} clusters of (log2 N, E'), silhouette {:.3f} (tried {})\n{}",
                     search->clusters.size(), search->silhouette, fmt::join(tried, ", "),
                     table.render());
}

/// E' of full servers differs by accelerator alone: how much of E' is no scaling.
std::string generations_note(const WorkloadStudy& study) {
  std::vector<std::string> names;
  std::string parts;
  for (const StudyRow& row : study.rows) {
    if (row.accelerators() != server_accelerators) continue;
    if (std::find(names.begin(), names.end(), row.accelerator) != names.end()) continue;
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
                     reference.accelerator, reference.minutes, row_table(study),
                     generations_note(study), cluster_table(search));
}

constexpr const char* study_text_legend =
    "  E': (T_ref/T)/(N/N_ref), the study's; own: the same within the accelerator; SE: against "
    "the\n"
    "  median system with 8 of the same accelerator; samples: to target; clusters: K-means, named\n"
    "  by what separates them: accelerators that no other has, else N, else E'\n";

std::string common_systems_text(const StudyAnswer& answer) {
  if (answer.workloads.size() < 2) return "";
  const auto names = systems_in_every_workload(answer.workloads);
  return fmt::format("{} systems in every workload\n  {}\n\n", names.size(),
                     fmt::join(names, "\n  "));
}

/// What of the efficiency of their accelerator's smallest systems the largest keep.
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
      "{} published runs of {} workloads: the largest systems, {} to {} accelerators, keep {:.0f} "
      "to {:.0f} % of the efficiency of the smallest with the same accelerator\n\n",
      rows, answer.workloads.size(), fewest, largest, 100 * least, 100 * most);
}

}  // namespace

std::string study_text(const StudyAnswer& answer) {
  if (answer.workloads.empty()) return "No row with a time to train\n";
  std::string text = study_sentence(answer);
  for (std::size_t w = 0; w < answer.workloads.size(); ++w)
    text += workload_text(answer.workloads[w], answer.clusters[w]);
  if (answer.together)
    text += fmt::format("all workloads: {} rows\n{}", answer.together->rows.size(),
                        cluster_table(answer.all_clusters));
  if (answer.rows_without_time > 0)
    text += fmt::format("{} rows without a time to train are left out\n", answer.rows_without_time);
  return text + study_text_legend + "\n" + common_systems_text(answer) +
         losses_text(answer.losses) + printed_text(answer) + claims_text(answer);
}

}  // namespace report
}  // namespace tofn
