#include "sim/app/step_from_records.hpp"

#include <array>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sim/app/measured_cluster.hpp"
#include "sim/config/load_record.hpp"
#include "sim/core/error.hpp"
#include "sim/curves/measured_collectives.hpp"
#include "sim/options/option_values.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/text_table.hpp"
#include "sim/simulation/recorded_step.hpp"

namespace tofn {
namespace {

/// How buckets were reduced: beside backward, or after it. The prediction of both is the same.
constexpr std::array<std::string_view, 2> overlaps{"backward", "nothing"};

/// One run: a prediction, and what was measured of it.
struct ScaledRun {
  RecordedStep alone;
  ScaledStep predicted;
  std::vector<RecordedStep> measured;  ///< empty, or one for each of `overlaps`
};

double error_of(const ScaledRun& run, std::size_t overlap) {
  return 100 * (run.predicted.times.total / run.measured[overlap].time - 1);
}

/// The only such step of a record.
RecordedStep only_step(const std::string& file, int ranks, std::string_view overlap) {
  const auto steps = recorded_steps(load_record(file), ranks, overlap);
  if (steps.size() == 1) return steps.front();
  throw InputError({file}, "points",
                   fmt::format("hold {} finished steps on {} rank{} with overlap '{}', not one",
                               steps.size(), ranks, ranks == 1 ? "" : "s", overlap));
}

RecordedStep step_alone(const std::string& file) {
  RecordedStep step = only_step(file, 1, "compute");
  if (step.device != "cpu")
    throw InputError(
        {file}, "device",
        "is '" + step.device +
            "'; only steps on CPUs are scaled, where MPI moves nothing beside products");
  return step;
}

CostCurve all_reduce_on(int ranks, const std::string& name, const CommonOptions& common) {
  const CollectiveCalibration calibration = find_calibration(common.configs, name);
  auto found = MeasuredCollectives(calibration.tables).find(CollectiveKind::AllReduce, ranks, 1);
  if (!found)
    throw InputError({name}, "tables",
                     fmt::format("have no all-reduce of {} ranks on one node", ranks));
  return std::move(found->curve);
}

/// The files of an option: none, or as many as there are records.
std::vector<std::string> files_of(const options::variables_map& values, const char* name,
                                  std::size_t records) {
  const auto files = split_list(text_option(values, name).value_or(""));
  if (!files.empty() && files.size() != records)
    throw InputError({}, std::string("--") + name,
                     fmt::format("has {} files, --record has {}", files.size(), records));
  return files;
}

std::vector<RecordedStep> measured_steps(const std::string& file, int ranks,
                                         const RecordedStep& alone) {
  std::vector<RecordedStep> steps;
  for (const std::string_view overlap : overlaps) {
    steps.push_back(only_step(file, ranks, overlap));
    if (steps.back().problem != alone.problem)
      throw InputError({file}, "parameters", "are not those of the step on one rank");
  }
  return steps;
}

std::vector<ScaledRun> scaled_runs(const options::variables_map& values,
                                   const CommonOptions& common, int ranks) {
  const auto records = split_list(values["record"].as<std::string>());
  const auto calibrations = files_of(values, "calibration", records.size());
  const auto measured = files_of(values, "measured", records.size());
  if (records.empty()) throw InputError({}, "--record", "expected at least one file");
  if (calibrations.empty())
    throw InputError({}, "--calibration", "is needed: measured all-reduces of so many ranks");
  std::vector<ScaledRun> runs;
  for (std::size_t i = 0; i < records.size(); ++i) {
    ScaledRun run{.alone = step_alone(records[i]), .predicted = {}, .measured = {}};
    run.predicted = scale_step(run.alone, ranks, all_reduce_on(ranks, calibrations[i], common));
    if (!measured.empty()) run.measured = measured_steps(measured[i], ranks, run.alone);
    runs.push_back(std::move(run));
  }
  return runs;
}

Seconds part_of(const ScaledRun& run, StepPart part) {
  return run.predicted.times.parts[static_cast<std::size_t>(part)];
}

Records records_of(const std::vector<ScaledRun>& runs, int ranks) {
  using Run = ScaledRun;
  Columns<Run> columns{
      {"workload", [](const Run& r) { return r.alone.workload; }},
      {"ranks", [=](const Run&) { return ranks; }},
      {"alone_s", [](const Run& r) { return r.alone.time.base(); }},
      {"all_reduce_s", [](const Run& r) { return part_of(r, StepPart::Data).base(); }},
      {"imbalance_s", [](const Run& r) { return part_of(r, StepPart::Imbalance).base(); }},
      {"predicted_s", [](const Run& r) { return r.predicted.times.total.base(); }},
      {"low_s", [](const Run& r) { return r.predicted.seconds.low; }},
      {"high_s", [](const Run& r) { return r.predicted.seconds.high; }}};
  for (std::size_t i = 0; i < overlaps.size(); ++i) {
    columns.emplace_back(fmt::format("overlap_{}_measured_s", overlaps[i]), [i](const Run& r) {
      return r.measured.empty() ? std::nullopt : std::optional(r.measured[i].time.base());
    });
    columns.emplace_back(fmt::format("overlap_{}_error_percent", overlaps[i]), [i](const Run& r) {
      return r.measured.empty() ? std::nullopt : std::optional(error_of(r, i));
    });
  }
  return records_of(columns, runs);
}

void add_row(TextTable& table, std::size_t number, const ScaledRun& run) {
  const Interval& interval = run.predicted.seconds;
  std::vector<std::string> cells{
      fmt::format("{}", number),
      short_milliseconds(run.alone.time),
      short_milliseconds(part_of(run, StepPart::Data)),
      short_milliseconds(part_of(run, StepPart::Imbalance)),
      short_milliseconds(run.predicted.times.total),
      short_milliseconds(Seconds{interval.low}) + "-" + short_milliseconds(Seconds{interval.high})};
  for (std::size_t i = 0; i < run.measured.size(); ++i) {
    cells.push_back(short_milliseconds(run.measured[i].time));
    cells.push_back(fmt::format("{:+.1f}", error_of(run, i)));
  }
  table.add(std::move(cells));
}

std::string median_errors(const std::vector<ScaledRun>& runs) {
  std::string text = "median error";
  for (std::size_t i = 0; i < overlaps.size(); ++i) {
    std::vector<double> errors;
    for (const ScaledRun& run : runs) errors.push_back(error_of(run, i));
    text += fmt::format("{} {:+.1f} % with overlap '{}'", i > 0 ? "," : "", median(errors),
                        overlaps[i]);
  }
  return text + '\n';
}

std::string text_of(const std::vector<ScaledRun>& runs, int ranks) {
  std::vector<TextTable::Column> columns{{"run", Align::Left},
                                         {"T(1) ms"},
                                         {"all-reduce"},
                                         {"imbalance"},
                                         {fmt::format("T({}) predicted", ranks)},
                                         {"90 % interval"}};
  const bool is_measured = !runs.front().measured.empty();
  for (const std::string_view overlap : overlaps)
    if (is_measured) {
      columns.push_back({fmt::format("overlap {}", overlap)});
      columns.push_back({"error %"});
    }
  TextTable table(columns);
  for (std::size_t i = 0; i < runs.size(); ++i) add_row(table, i + 1, runs[i]);
  return fmt::format("step of {} on {} ranks, from one rank and all-reduces\n",
                     runs.front().alone.workload, ranks) +
         table.render() + (is_measured ? median_errors(runs) : "");
}

}  // namespace

void add_record_options(options::options_description& description) {
  const auto text = [] { return options::value<std::string>(); };
  description.add_options()  //
      ("record", text(),
       "records of `tofn-bench step --processor cpu` on one rank: the step on -N ranks (2) by "
       "measured all-reduces (--calibration)")  //
      ("measured", text(), "as many records of that step on -N ranks, to compare with");
}

int step_from_records(const options::variables_map& values, const CommonOptions& common) {
  const int ranks = count_option(values, "accelerators").value_or(2);
  const auto runs = scaled_runs(values, common, ranks);
  write_answer(common, text_of(runs, ranks), records_of(runs, ranks));
  return 0;
}

}  // namespace tofn
