#include <algorithm>

#include <fmt/format.h>

#include "sim/answers/check_log.hpp"
#include "sim/answers/scale_answer.hpp"
#include "sim/answers/study_answer.hpp"
#include "sim/app/command.hpp"
#include "sim/app/scale_options.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/version.hpp"
#include "sim/core/words.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/page/read_table.hpp"
#include "sim/report/compare_report.hpp"
#include "sim/report/mlperf_report.hpp"
#include "sim/report/scale_report.hpp"
#include "sim/report/study_report.hpp"

namespace tofn {
inline namespace app {

namespace option {
constexpr Texts page_files{
    {"files", "files that the page shows; mlperf: all published rounds", Takes::Words}};
}  // namespace option

CommandLine report_command_line() {
  return {
      "report [FILE...] [OPTIONS]",
      "  tofn report\n"
      "  tofn report mlperf -o mlperf.html\n"
      "  tofn predict bert dgx-h100 -N 8..512 --format json -o bert.json\n"
      "  tofn step gpt3-175b dgx-a100 -N 64 --batch 64 --plan gpt3-175b-megatron --trace "
      "step.json\n"
      "  tofn report bert.json step.json -o bert.html\n\n"
      "FILE is what another command wrote with --format csv or json, the trace of a step, or\n"
      "any table with two columns of numbers. Without one: the comparison and the study of\n"
      "MLPerf v4.1, and how its workloads scale on the DGX H100. `mlperf`: predictions beside\n"
      "all published rounds, and the largest errors with the terms that make them. `-o -` prints\n"
      "the page.\n",
      {{.option = &option::page_files, .words = -1}}};
}

namespace {

/// Gives accelerators their names in the library, so that the page's filters list each one once.
void name_accelerators(Records& records, const Library& library) {
  const auto column = std::ranges::find(records.columns, "accelerator");
  if (column == records.columns.end()) return;
  for (auto& row : records.rows) {
    Value& cell = row[static_cast<std::size_t>(column - records.columns.begin())];
    if (const auto* name = std::get_if<std::string>(&cell))
      if (const Accelerator* known = library.find_accelerator(*name)) cell = known->name;
  }
}

/// Tables of `tofn compare` and `tofn study` on the default published table.
std::vector<PageTable> comparison_and_study(Shipped& shipped) {
  constexpr std::uint64_t seed = 1;
  const auto file = default_published_table(shipped.configs());
  const auto rows = backtest(shipped.resolved(file), shipped.rows(), {.estimates = true});
  StudyAnswer study = study_of(named_rows(read_published_table(file), shipped.library()), {}, seed);
  study.losses = waterfalls(rows);
  const std::string source = file.filename().string();
  const auto compared = "tofn compare, " + source;
  const auto studied = "tofn study, " + source;
  return {page_table(compare_records(rows), compared), page_table(study_records(study), studied),
          page_table(loss_records(study), studied), page_table(cluster_records(study), studied),
          page_table(claim_records(study), studied)};
}

/// Keeps only the series that ends soonest, without strong and weak scaling.
void keep_soonest(Records& points) {
  const auto column = std::ranges::find(points.columns, "series");
  const auto series = static_cast<std::size_t>(column - points.columns.begin());
  std::erase_if(points.rows, [&](const auto& row) { return row[series] != Value{"soonest"}; });
}

/// Tables of `tofn scale` for each workload, on the machine of most published runs.
std::vector<PageTable> scaling_of_workloads(Shipped& shipped) {
  constexpr const char* machine = "dgx-h100";
  const Library& library = shipped.library();
  const Cluster* cluster = library.find_cluster(machine);
  std::vector<PageTable> points;
  std::vector<PageTable> knees;
  const Calibration& calibration = shipped.calibration();
  for (const Workload& workload : library.workloads()) {
    if (cluster == nullptr) break;
    OpenDescription open{.workload = &workload, .cluster = cluster};
    open.settings.software_release = newest_release(calibration, workload, cluster->accelerator);
    ScaleRequest request;
    request.sizes = default_scale_sizes(*cluster, 1);
    const ScaleAnswer answer = scale_answer(
        {.of = WorkloadRun{.open = std::move(open), .calibration = calibration}}, request);
    const std::string origin = fmt::format("tofn scale {} {}", workload.name, machine);
    points.push_back(page_table(scale_point_records(answer), origin));
    keep_soonest(points.back().records);
    knees.push_back(page_table(scale_knee_records(answer), origin));
  }
  points.insert(points.end(), knees.begin(), knees.end());
  return points;
}

std::vector<PageTable> default_tables(Shipped& shipped) {
  std::vector<PageTable> tables = comparison_and_study(shipped);
  for (PageTable& table : scaling_of_workloads(shipped)) tables.push_back(std::move(table));
  return tables;
}

/// Tables of `tofn compare` on each published round, newest first, after that of the largest
/// errors.
std::vector<PageTable> tables_of_rounds(Shipped& shipped) {
  std::vector<PredictedRound> rounds;
  for (const auto& file : published_tables(shipped.configs()))
    rounds.push_back(
        {file.stem().string(),
         backtest(shipped.resolved(file), shipped.rows_beside(file, CalibrationRule::OneNode),
                  {.estimates = true})});
  std::ranges::reverse(rounds);
  std::vector<PageTable> tables{page_table(worst_records(rounds), "tofn report mlperf")};
  for (const PredictedRound& round : rounds)
    tables.push_back(page_table(compare_records(round.rows), round.name));
  return tables;
}

std::vector<PageTable> tables_of(const options::variables_map& values,
                                 const CommonOptions& common) {
  Shipped shipped(common.configs);
  std::vector<PageTable> tables;
  const std::vector<std::string> files = option::page_files.of(values);
  const bool is_mlperf = files == std::vector<std::string>{"mlperf"};
  if (is_mlperf) {
    tables = tables_of_rounds(shipped);
  } else {
    if (files.empty()) tables = default_tables(shipped);
    for (const std::string& file : files)
      tables.push_back(unless_log(file, [&] { return read_page_table(file); }));
  }
  for (PageTable& table : tables) name_accelerators(table.records, shipped.library());
  return is_mlperf ? tables : joined(std::move(tables));
}

}  // namespace

CommandAnswer run_report(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  if (option::format.is_given(values))
    throw InputError({}, option::format.flag(), "does not apply: a report is a page of HTML");
  const std::filesystem::path file = common.output.empty() ? "report.html" : common.output;
  refuse_overwriting(values, option::output, file);
  const auto tables = tables_of(values, common);
  if (!has_chart_library())
    throw InputError(
        "this tofn was built without Chart.js, which makes the charts: install libjs-chart.js, "
        "configure and build again");
  const std::string html =
      page_html(tables, fmt::format("tofn {} ({})", version_number, git_description));
  if (common.output == "-") return {.text = html, .output_is_taken = true, .is_exact = true};
  write_text_file_atomically(file, html);
  std::size_t charts = 0;
  for (const PageTable& table : tables) charts += charts_of(table).size();
  return {
      .text = fmt::format("{}: {} of {}, {:.0f} kB\n", file.string(), counted(charts, "chart"),
                          counted(tables.size(), "table"), static_cast<double>(html.size()) / 1e3),
      .output_is_taken = true};
}

}  // namespace app
}  // namespace tofn
