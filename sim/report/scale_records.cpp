#include <algorithm>
#include <cmath>
#include <functional>

#include "sim/core/basis.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/scale_report.hpp"

namespace tofn {
inline namespace report {
namespace {

std::optional<double> between_of(const Knee& knee) {
  return knee.accelerators ? std::optional(knee.between) : std::nullopt;
}

/// One size of a series. `point` is absent if only its time is known, or if it was refused.
struct PointRow {
  const ScaleAnswer* answer = nullptr;
  std::string series;
  int accelerators = 0;
  const ScaledPoint* point = nullptr;
  std::optional<double> minutes;  ///< of the job, if it trains to a target or was timed
  std::optional<double> speedup, efficiency, gain;          ///< absent if it was refused
  std::optional<double> sample_speedup, sample_efficiency;  ///< absent if its step is not known
  std::string refused;
};

/// Column of a figure of a series' point.
template <class Figure>
auto of_point(Figure figure) {
  return of_its(&PointRow::point, figure);
}
template <class Figure>
auto of_series_step(Figure figure) {
  return of_point(of_its(&ScaledPoint::step, figure));
}
/// End of the interval in minutes; empty if it is infinite, as the upper end may be.
auto interval_end(double Interval::*end) {
  return of_point([end](const ScaledPoint& p) {
    const bool is_known = p.run && p.seconds && std::isfinite((*p.seconds).*end);
    return is_known ? std::optional((*p.seconds).*end / 60) : std::nullopt;
  });
}

Columns<PointRow> series_columns() {
  using Row = PointRow;
  using Point = ScaledPoint;
  const auto of_plan = [](auto figure) {
    return of_point([=](const Point& p) {
      return p.estimate ? std::optional(std::invoke(figure, p.estimate->plan)) : std::nullopt;
    });
  };
  Columns<Row> columns{
      {"workload", of_its(&Row::answer, &ScaleAnswer::name),
       "benchmark task, by its name in workloads/"},
      {"accelerator", [](const Row& r) { return known(r.answer->accelerator); },
       "chip, by its name in accelerators/"},
      {"series", &Row::series, "kind of the series: soonest, strong, weak, given or published"},
      {"accelerators", &Row::accelerators, "accelerators of the job"},
      {"global_batch", of_point(&Point::batch), "samples of a step"},
      {"micro_batch", of_point(&Point::micro_batch), "samples per replica and pass"},
      {"tensor_parallel", of_plan(&Plan::tensor_parallel_size),
       "ranks that split a layer's products"},
      {"context_parallel", of_plan(&Plan::context_parallel_size), "ranks that split a sample"},
      {"pipeline_parallel", of_plan(&Plan::pipeline_parallel_size), "stages"},
      {"data_parallel", of_plan(&Plan::data_parallel_size), "replicas"},
      {"gradient_accumulation", of_plan(&Plan::gradient_accumulation), "passes of a step"},
      {"plan", of_plan(plan_words), "split of the job over accelerators, in words"},
      {"plan_is_chosen", of_point([](const Point& p) { return p.plan_is_chosen; }),
       "1 where tofn chose what was not stated of the plan"},
      {"time_to_train_min", &Row::minutes, "minutes of the series: to the target, or as given"},
      {"time_to_train_min_low90", interval_end(&Interval::low),
       "lower end of the time's 90 % interval"},
      {"time_to_train_min_high90", interval_end(&Interval::high),
       "upper end of the time's 90 % interval; empty: it has none, interruptions may outrun the "
       "work"},
      {"samples_per_s", of_point([](const Point& p) { return 1 / p.seconds_per_sample().base(); }),
       "samples per second of the job"},
      {"speedup", &Row::speedup,
       "time of the reference over that of this size, to one target or of one amount; else of a "
       "sample"},
      {"efficiency", &Row::efficiency, "speedup over growth of the accelerators"},
      {"sample_speedup", &Row::sample_speedup, "samples per second over those of the reference"},
      {"sample_efficiency", &Row::sample_efficiency,
       "sample_speedup over growth of the accelerators"},
      {"gain_per_doubling", &Row::gain,
       "gain in speed per doubling of accelerators, up to the next size"},
      {"waiting_s", of_series_step([](const StepTimes& step) { return step.waiting().base(); }),
       "pipeline bubble and waiting for slower ranks"},
      {"communication_exposed_share",
       of_series_step([](const StepTimes& s) { return s.exposed().time / s.total; }),
       "share of the step in communication that nothing hides"},
      {"communication_share", of_series_step([](const StepTimes& s) {
         return s.communication / (s.computation() + s.communication);
       }),
       "share of communication, hidden or not, in computation and communication"},
      {"memory_share", of_point(&Point::memory),
       "share of the accelerator's memory that the most loaded rank takes"},
      {"bottleneck", of_series_step([](const StepTimes& s) { return bottleneck_of(s).name; }),
       "bottleneck of the step: compute, communication, bubble, imbalance, overhead or mixed"},
      {"basis", of_point(&Point::basis), "basis of the weakest term of the time"},
      {"substituted", of_point([](const Point& p) { return substituted(p.substitutions); }),
       "assumptions in place of what was requested or is lacking"},
      {"refused", of_its(&Row::refused, known), "reason why the job cannot run on this size"}};
  const auto estimate_of = [](const Row& row) -> const RunEstimate* {
    return row.point != nullptr ? row.point->estimate.get() : nullptr;
  };
  add_run_figures(columns, estimate_of);
  add_step_parts(columns, estimate_of);
  return columns;
}

void compare(PointRow& row, const std::vector<ScalingPoint>& times, std::size_t index) {
  const ScalingPoint reference = reference_point(times);
  row.speedup = speedup(times[index], reference);
  row.efficiency = relative_efficiency(times[index], reference);
  if (index + 1 < times.size()) row.gain = gain_per_doubling(times[index], times[index + 1]);
}

void add_series(std::vector<PointRow>& rows, const ScaleAnswer& answer, const ScaleSeries& series) {
  const std::vector<ScalingPoint> times = times_of(series.points);
  const std::vector<ScalingPoint> sample_times = sample_times_of(series.points);
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const ScaledPoint& point = series.points[i];
    PointRow& row = rows.emplace_back();
    row.answer = &answer;
    row.series = series.name;
    row.accelerators = point.accelerators;
    row.point = &point;
    if (point.run) row.minutes = point.time().base() / 60;
    compare(row, times, i);
    const ScalingPoint reference = reference_point(sample_times);
    row.sample_speedup = speedup(sample_times[i], reference);
    row.sample_efficiency = relative_efficiency(sample_times[i], reference);
  }
  for (const auto& [accelerators, why] : series.refused) {
    PointRow& row = rows.emplace_back();
    row.answer = &answer;
    row.series = series.name;
    row.accelerators = accelerators;
    row.refused = why;
  }
}

/// Adds the rows of a series of which only times are known.
void add_times(std::vector<PointRow>& rows, const ScaleAnswer& answer) {
  for (std::size_t i = 0; i < answer.times.size(); ++i) {
    PointRow& row = rows.emplace_back();
    row.answer = &answer;
    row.series = "given";
    row.accelerators = answer.times[i].accelerators;
    row.minutes = answer.times[i].minutes;
    compare(row, answer.times, i);
  }
}

}  // namespace

std::vector<ColumnWords> scale_columns() { return words_of(series_columns()); }

Records scale_point_records(const ScaleAnswer& answer) {
  std::vector<PointRow> rows;
  if (answer.main)
    add_series(rows, answer, *answer.main);
  else
    add_times(rows, answer);
  for (const auto* series : {&answer.strong, &answer.weak})
    if (*series && !(answer.main && answer.main->name == (*series)->name))
      add_series(rows, answer, **series);
  return records_of(series_columns(), rows);
}

ExplainedRecords scale_law_records(const ScaleAnswer& answer) {
  struct Row {
    const LawFit* fit;
    std::string_view name;
    const FittedParameter* parameter;
  };
  std::vector<Row> rows;
  for (const LawFit& fit : answer.laws)
    for (std::size_t i = 0; i < fit.parameters.size(); ++i)
      rows.push_back({&fit, fit.law->parameters[i], &fit.parameters[i]});
  const auto of_law = [](auto figure) { return of_its(&Row::fit, &LawFit::law, figure); };
  const auto of_error = [](auto figure) { return of_its(&Row::fit, &LawFit::error, figure); };
  const auto of_interval = [](auto end) {
    return of_its(&Row::parameter, &FittedParameter::interval, end);
  };
  const auto of_held_out = [](auto figure) { return of_its(&Row::fit, &LawFit::held_out, figure); };
  const TableColumns<Row> columns{
      {"law", of_law(&Law::name), "law, by its name in `sim/scaling/law.cpp`"},
      {"formula", of_law(&Law::formula), "formula of the speedup S or the time T"},
      {"parameter", &Row::name, "parameter of the law"},
      {"value", of_its(&Row::parameter, &FittedParameter::value), "value of the parameter"},
      {"low90", of_interval(&Interval::low), "lower end of the parameter's 90 % interval"},
      {"high90", of_interval(&Interval::high), "upper end of the parameter's 90 % interval"},
      {"mean_error", of_error(&Accuracy::mean),
       "mean error of the law at the points that it was fitted to"},
      {"worst_error", of_error(&Accuracy::worst),
       "greatest error of the law at the points that it was fitted to"},
      {"held_out_above", of_held_out(&LargerSizesError::largest_seen),
       "largest size that was fitted, above which sizes are held out"},
      {"held_out_mean_error", of_held_out(of_its(&LargerSizesError::error, &Accuracy::mean)),
       "mean error of the law at the larger sizes that were held out"},
      {"held_out_worst_error", of_held_out(of_its(&LargerSizesError::error, &Accuracy::worst)),
       "greatest error of the law at the larger sizes that were held out"}};
  return records_of(columns, rows);
}

ExplainedRecords scale_knee_records(const ScaleAnswer& answer) {
  struct Row {
    const Knee* knee;
    std::optional<double> least, most;
  };
  std::vector<Row> rows;
  for (std::size_t k = 0; k < answer.knees.size(); ++k) {
    Row& row = rows.emplace_back(Row{&answer.knees[k], {}, {}});
    for (const KneesWithoutRow& without : answer.left_out) {
      if (!without.knees[k].accelerators) continue;
      const double between = without.knees[k].between;
      row.least = std::min(row.least.value_or(between), between);
      row.most = std::max(row.most.value_or(between), between);
    }
  }
  const auto of_knee = [](auto figure) { return of_its(&Row::knee, figure); };
  const TableColumns<Row> columns{
      {"workload", [&](const Row&) { return answer.name; }},
      {"accelerator", [&](const Row&) { return known(answer.accelerator); }},
      {"knee", of_knee(&Knee::name), "name of the knee's definition: product, gain or cost"},
      {"definition", of_knee(&Knee::definition), "definition of the knee"},
      {"accelerators", of_knee(&Knee::accelerators)},
      {"between", of_knee(between_of), "knee, interpolated between the sizes"},
      {"is_first", of_knee(&Knee::is_first),
       "1 where the knee is the smallest size: it may lie below"},
      {"is_last", of_knee(&Knee::is_last),
       "1 where the knee is the largest size: it may lie beyond"},
      {"rows_left_out", [&](const Row&) { return answer.left_out.size(); },
       "points that were left out in turn"},
      {"least_between_without_a_row", &Row::least, "least knee when one point is left out"},
      {"most_between_without_a_row", &Row::most, "greatest knee when one point is left out"}};
  return records_of(columns, rows);
}

ExplainedRecords scale_left_out_records(const ScaleAnswer& answer) {
  using Row = KneesWithoutRow;
  TableColumns<Row> columns{{"row", &Row::row, "row that was left out"},
                            {"time_at_first_knee_change", &Row::time_at_knee,
                             "relative change of the time at the first knee"}};
  for (std::size_t k = 0; k < answer.knees.size(); ++k) {
    const std::string name = "knee_" + std::string(answer.knees[k].name);
    columns.emplace_back(name + "_accelerators",
                         [k](const Row& r) { return r.knees[k].accelerators; });
    columns.emplace_back(name + "_between", [k](const Row& r) { return between_of(r.knees[k]); });
  }
  return records_of(columns, answer.left_out);
}

}  // namespace report
}  // namespace tofn
