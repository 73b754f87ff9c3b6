#include "sim/report/step_record_report.hpp"

#include <fmt/format.h>

#include "sim/report/figure_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

namespace {

TableColumns<ScaledRun> scaled_columns(const std::vector<ScaledRun>& runs, int ranks) {
  using Run = ScaledRun;
  const auto number = [&runs](const Run& r) { return 1 + (&r - runs.data()); };
  const auto in_ms = [](double seconds) { return short_milliseconds(Seconds{seconds}); };
  const auto interval = [=](const Run& r) {
    const Interval& seconds = r.predicted.seconds;
    return in_ms(seconds.low) + "-" + in_ms(seconds.high);
  };
  TableColumns<Run> columns{
      left("run", number),
      {"workload", [](const Run& r) { return r.alone.workload; },
       "benchmark task, by its name in workloads/"},
      {"ranks", [=](const Run&) { return ranks; }},
      {"alone_s", [](const Run& r) { return r.alone.time.base(); }, right("T(1) ms", in_ms)},
      {"all_reduce_s", [](const Run& r) { return r.part(StepPart::Data).base(); },
       right("all-reduce", in_ms), "part of the step that all-reduces take"},
      {"imbalance_s", [](const Run& r) { return r.part(StepPart::Imbalance).base(); },
       right("imbalance", in_ms)},
      {"predicted_s", [](const Run& r) { return r.predicted.times.total.base(); },
       right(fmt::format("T({}) predicted", ranks), in_ms)},
      {"low_s", [](const Run& r) { return r.predicted.seconds.low; },
       right("90 % interval", interval)},
      {"high_s", [](const Run& r) { return r.predicted.seconds.high; }}};
  const bool is_measured = !runs.empty() && !runs.front().measured.empty();
  for (std::size_t i = 0; i < reduction_overlaps.size(); ++i) {
    const auto measured = [i](const Run& r) {
      return r.measured.empty() ? std::nullopt : std::optional(r.measured[i].time.base());
    };
    const auto error = [i](const Run& r) {
      return r.measured.empty() ? std::nullopt : std::optional(r.error(i));
    };
    const std::string name = fmt::format("overlap_{}", reduction_overlaps[i]);
    TableColumn<Run> time_column{name + "_measured_s", measured,
                                 right(fmt::format("overlap {}", reduction_overlaps[i]), in_ms),
                                 "step that was measured with this overlap"};
    TableColumn<Run> error_column{name + "_error_percent", error, right("error %", "{:+.1f}"),
                                  "predicted over measured step with this overlap, less 1"};
    for (TableColumn<Run>* column : {&time_column, &error_column}) {
      if (!is_measured) column->cell = nullptr;
      columns.push_back(std::move(*column));
    }
  }
  return columns;
}

std::string median_errors(const std::vector<ScaledRun>& runs) {
  std::string text = "median error";
  for (std::size_t i = 0; i < reduction_overlaps.size(); ++i) {
    std::vector<double> errors;
    for (const ScaledRun& run : runs) errors.push_back(run.error(i));
    text += fmt::format("{} {:+.1f} % with overlap '{}'", i > 0 ? "," : "", median(errors),
                        reduction_overlaps[i]);
  }
  return text + '\n';
}

}  // namespace

ExplainedRecords step_record_records(const std::vector<ScaledRun>& runs, int ranks) {
  return records_of(scaled_columns(runs, ranks), runs);
}

std::string step_record_text(const std::vector<ScaledRun>& runs, int ranks) {
  return fmt::format("step of {} on {} ranks, from one rank and all-reduces\n",
                     runs.front().alone.workload, ranks) +
         table_text(scaled_columns(runs, ranks), runs) +
         (runs.front().measured.empty() ? "" : median_errors(runs));
}

}  // namespace report
}  // namespace tofn
