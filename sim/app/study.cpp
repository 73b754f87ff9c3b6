#include <algorithm>
#include <array>
#include <set>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/study_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/error.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/report/study_report.hpp"

namespace tofn {
inline namespace app {
namespace {

using StudyTable = ExplainedRecords (*)(const StudyAnswer&);
constexpr std::array<std::pair<std::string_view, StudyTable>, 4> study_tables{
    {{"rows", study_records},
     {"clusters", cluster_records},
     {"claims", claim_records},
     {"losses", loss_records}}};

}  // namespace

namespace option {
constexpr OptionOf<int> clusters_of_rows{
    {"clusters", "number of clusters (default: 2 to 5, by the greatest silhouette)"}, whole<20>};
constexpr OptionOf<StudyTable> study_table{
    {.name = "table",
     .help = "content of csv and json: rows, clusters, claims or losses",
     .default_text = "rows"},
    choice<study_tables>};
}  // namespace option

CommandLine study_command_line() {
  return {"study [OPTIONS]",
          "  tofn study\n"
          "  tofn study --workload bert --clusters 3\n"
          "  tofn study --published my-results.csv --format csv -o study.csv\n",
          {{&option::published, every_job, "table to study (default: MLPerf v4.1)"},
           {&option::workload, every_job, "workloads whose rows are studied, e.g. bert,retinanet"},
           {&option::clusters_of_rows},
           {&option::seed, every_job, "seed of the clusters", "1"},
           {&option::study_table}}};
}

namespace {

void keep_workloads(std::vector<NamedRow>& rows, const std::string& list, const Library& library,
                    const std::filesystem::path& table) {
  std::vector<std::string> wanted;
  for (const std::string& name : split_list(list)) wanted.push_back(library.workload(name).name);
  if (wanted.empty()) throw InputError({}, option::workload.flag(), "names no workload");
  std::set<std::string> held;
  for (const NamedRow& row : rows) held.insert(row.workload);
  const auto is_missing = [&](const std::string& name) { return !held.contains(name); };
  if (const auto none = std::ranges::find_if(wanted, is_missing); none != wanted.end())
    throw InputError({}, option::workload.flag(),
                     fmt::format("{} has no row of {}; it has rows of {}", table.string(), *none,
                                 fmt::join(held, ", ")));
  std::erase_if(rows, [&](const NamedRow& row) {
    return std::ranges::find(wanted, row.workload) == wanted.end();
  });
}

std::optional<int> cluster_count(const options::variables_map& values) {
  const auto count = option::clusters_of_rows.of(values);
  if (count == 1)
    throw InputError({}, option::clusters_of_rows.flag(), "expected at least 2 clusters, got '1'");
  return count;
}

}  // namespace

CommandAnswer run_study(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  const StudyTable table = option::study_table.value(values);
  say_if_idle(option::study_table, values, common);
  const auto clusters = cluster_count(values);
  const auto seed = option::seed.value(values);
  const auto published = option::published.of(values);
  if (published && published->empty())
    throw InputError({}, option::published.flag(), "names no file");
  const auto workloads = option::workload.of(values);
  Shipped shipped(common.configs);
  const std::filesystem::path table_file =
      published ? std::filesystem::path(*published) : default_published_table(common.configs);
  auto rows = named_rows(read_published_table(table_file), shipped.library());
  if (workloads) keep_workloads(rows, *workloads, shipped.library(), table_file);
  StudyAnswer answer = study_of(rows, clusters, seed);
  answer.losses = losses_of(table_file, rows, shipped);
  answer.is_the_studys_table = !published && !workloads;
  return command_answer(study_text(answer), table(answer));
}

}  // namespace app
}  // namespace tofn
