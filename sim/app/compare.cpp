#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/app/command.hpp"
#include "sim/app/shared_options.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/report/compare_report.hpp"

namespace tofn {
inline namespace app {

namespace {

CalibrationRule rule_named(const std::string& text, const std::string& flag) {
  return choice_in(calibration_rules, text, flag, "rule");
}

}  // namespace

namespace option {
constexpr OptionOf<CalibrationRule> calibrate{
    {.name = "calibrate",
     .help = "rows that calibrate: one-node (runs in one scale-up domain), other-submitters "
             "(those, without the row's own organisation), other-rounds (those, without the "
             "table's own) or none",
     .default_text = "one-node"},
    rule_named};
constexpr Text compared_accelerators{
    {"accelerators", "accelerators whose rows are compared, e.g. H100,H200"}};
constexpr Text compared_workloads{
    {"workloads", "workloads whose rows are compared, e.g. bert,retinanet"}};
}  // namespace option

CommandLine compare_command_line() {
  return {"compare [OPTIONS]",
          "  tofn compare\n"
          "  tofn compare --accelerators H100,H200\n"
          "  tofn compare --published my-results.csv --format csv -o errors.csv\n"
          "  tofn compare --calibrate other-submitters\n",
          {{&option::published, every_job, "table to predict (default: MLPerf v4.1)"},
           {&option::calibrate},
           {&option::compared_accelerators},
           {&option::compared_workloads},
           {&option::seed, every_job, "seed of the samples that ranges are drawn from", "1"}}};
}

namespace {

void check_accelerators(const std::vector<std::string>& wanted, const Library& library) {
  std::vector<std::string> names;
  for (const auto& accelerator : library.accelerators()) names.push_back(accelerator.name);
  for (const auto& each : wanted) {
    const bool known = std::ranges::any_of(
        names, [&](const std::string& name) { return names_accelerator(each, name); });
    if (!known)
      throw InputError({}, option::compared_accelerators.flag(),
                       unknown_listed_name("accelerator", each, names));
  }
}

/// True if a row has a requested accelerator and workload. Rows without a run are also shown,
/// unless they are of another workload.
bool is_wanted(const ResolvedRow& row, const std::vector<std::string>& accelerators,
               const std::vector<const Workload*>& workloads, const Library& library) {
  const Workload* workload =
      row.run ? row.run->workload : library.find_workload(row.row.inputs.benchmark);
  if (!workloads.empty() && std::ranges::find(workloads, workload) == workloads.end()) return false;
  if (!row.run || accelerators.empty()) return true;
  return std::ranges::any_of(accelerators, [&](const std::string& wanted) {
    return names_accelerator(wanted, row.run->cluster->accelerator.name);
  });
}

std::set<std::string> benchmarks_in(const std::vector<ResolvedRow>& table) {
  std::set<std::string> names;
  for (const ResolvedRow& row : table) names.insert(row.row.inputs.benchmark);
  return names;
}

}  // namespace

CommandAnswer run_compare(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  BacktestOptions backtest_options;
  backtest_options.rule = option::calibrate.value(values);
  backtest_options.seed = option::seed.value(values);
  backtest_options.estimates = true;
  Shipped shipped(common.configs);
  const Library& library = shipped.library();
  const auto accelerators = split_list(option::compared_accelerators.of(values).value_or(""));
  check_accelerators(accelerators, library);
  std::vector<const Workload*> workloads;
  for (const auto& name : split_list(option::compared_workloads.of(values).value_or("")))
    workloads.push_back(&library.workload(name));

  const std::filesystem::path published =
      option::published.of(values).value_or(default_published_table(common.configs).string());
  if (published.empty()) throw InputError({}, option::published.flag(), "names no file");
  std::vector<std::string> notes;
  const auto table = shipped.resolved(published, &notes);
  for (const std::string& note : notes) say(note);
  const auto beside = shipped.rows_beside(published, backtest_options.rule);
  auto rows = backtest(table, beside, backtest_options);
  std::vector<BacktestRow> wanted;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (is_wanted(table[i], accelerators, workloads, library)) wanted.push_back(std::move(rows[i]));
  const bool is_answered =
      std::ranges::any_of(wanted, [](const auto& row) { return row.prediction.has_value(); });
  if (wanted.empty())
    throw InputError({published.string()}, "benchmark",
                     fmt::format("has no row of what was requested; it has {}",
                                 fmt::join(benchmarks_in(table), ", ")));
  if (!is_answered)
    say(fmt::format("{}: each row was left out: there is nothing to compare", published.string()));
  return command_answer(compare_text(wanted, published.filename().string()),
                        compare_records(wanted), is_answered ? 0 : 2);
}

}  // namespace app
}  // namespace tofn
