#include <algorithm>

#include <fmt/format.h>

#include "sim/app/command.hpp"
#include "sim/core/error.hpp"
#include "sim/core/names.hpp"
#include "sim/evidence/shipped.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/compare_report.hpp"

namespace tofn {
inline namespace app {

CommandLine compare_command_line() {
  CommandLine line{.usage = "compare [OPTIONS]",
                   .examples =
                       "  tofn compare\n"
                       "  tofn compare --accelerators H100,H200\n"
                       "  tofn compare --published my-results.csv --format csv -o errors.csv\n"
                       "  tofn compare --calibrate other-submitters\n",
                   .description = options::options_description("Options"),
                   .positional = {}};
  line.description.add_options()                                                               //
      ("published", options::value<std::string>(), "table to predict (default: MLPerf v4.1)")  //
      ("calibrate", options::value<std::string>()->default_value("one-node"),
       "rows that calibrate: one-node (runs in one scale-up domain), other-submitters (those, "
       "without the row's own organisation), other-rounds (those, without the table's own) or "
       "none")                                                                                 //
      ("accelerators", options::value<std::string>(), "only rows of these, e.g. H100,H200")    //
      ("workloads", options::value<std::string>(), "only rows of these, e.g. bert,retinanet")  //
      ("seed", options::value<std::string>()->default_value("1"),
       "seed of the samples that ranges are drawn from");
  return line;
}

namespace {

CalibrationRule rule_named(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [text, rule] : calibration_rules) {
    if (text == name) return rule;
    names.emplace_back(text);
  }
  throw InputError({}, "--calibrate", unknown_name("rule", name, names));
}

void check_accelerators(const std::vector<std::string>& wanted, const Library& library) {
  std::vector<std::string> names;
  for (const auto& accelerator : library.accelerators()) names.push_back(accelerator.name);
  for (const auto& each : wanted) {
    const bool known = std::any_of(names.begin(), names.end(), [&](const std::string& name) {
      return names_accelerator(each, name);
    });
    if (!known)
      throw InputError({}, "--accelerators", unknown_listed_name("accelerator", each, names));
  }
}

/// Rows that stand for no run stay in sight unless they are of another workload.
bool is_wanted(const ResolvedRow& row, const std::vector<std::string>& accelerators,
               const std::vector<const Workload*>& workloads, const Library& library) {
  const Workload* workload =
      row.run ? row.run->workload : library.find_workload(row.row.inputs.benchmark);
  if (!workloads.empty() &&
      std::find(workloads.begin(), workloads.end(), workload) == workloads.end())
    return false;
  if (!row.run || accelerators.empty()) return true;
  return std::any_of(accelerators.begin(), accelerators.end(), [&](const std::string& wanted) {
    return names_accelerator(wanted, row.run->cluster->accelerator.name);
  });
}

std::vector<std::string> list_option(const options::variables_map& values, const char* name) {
  if (values.count(name) == 0) return {};
  return split_list(values[name].as<std::string>());
}

}  // namespace

CommandAnswer run_compare(const options::variables_map& values) {
  const CommonOptions common = read_common(values);
  BacktestOptions backtest_options;
  backtest_options.rule = rule_named(values["calibrate"].as<std::string>());
  backtest_options.seed = seed_of(values);
  Shipped shipped(common.configs);
  const Library& library = shipped.library();
  const auto accelerators = list_option(values, "accelerators");
  check_accelerators(accelerators, library);
  std::vector<const Workload*> workloads;
  for (const auto& name : list_option(values, "workloads"))
    workloads.push_back(&library.workload(name));

  const std::filesystem::path published = values.count("published") > 0
                                              ? values["published"].as<std::string>()
                                              : default_published_table(common.configs).string();
  if (published.empty()) throw InputError({}, "--published", "names no file");
  std::vector<std::string> notes;
  const auto table = shipped.resolved(published, &notes);
  for (const std::string& note : notes) say(note);
  const auto beside = shipped.rows_beside(published, backtest_options.rule);
  auto rows = backtest(table, beside, backtest_options);
  std::vector<BacktestRow> wanted;
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (is_wanted(table[i], accelerators, workloads, library)) wanted.push_back(std::move(rows[i]));
  const bool is_answered = std::any_of(wanted.begin(), wanted.end(),
                                       [](const auto& row) { return row.prediction.has_value(); });
  if (!is_answered)
    say(fmt::format("{}: {}", published.string(),
                    wanted.empty() ? "has no row of what was requested"
                                   : "each row was left out: there is nothing to compare"));
  const AnswerText text = compare_text(wanted);
  return {.text = text.screen,
          .details = text.details,
          .records = compare_records(wanted),
          .exit_code = is_answered ? 0 : 2};
}

}  // namespace app
}  // namespace tofn
