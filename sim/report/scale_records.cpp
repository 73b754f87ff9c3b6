#include <array>
#include <string_view>

#include "sim/core/basis.hpp"
#include "sim/report/scale_report.hpp"

namespace tofn {
namespace {

Value whole(int value) { return static_cast<long long>(value); }
template <class T>
Value known(const std::optional<T>& value) {
  return value ? Value{static_cast<double>(*value)} : Value{};
}
Value known(const std::optional<int>& value) { return value ? whole(*value) : Value{}; }

std::optional<double> between_of(const Knee& knee) {
  return knee.accelerators ? std::optional(knee.between) : std::nullopt;
}

struct StepColumn {
  const char* name;
  Seconds StepAccount::*time;
};
constexpr std::array step_columns{StepColumn{"step_ms", &StepAccount::total},
                                  StepColumn{"arithmetic_ms", &StepAccount::arithmetic},
                                  StepColumn{"overhead_ms", &StepAccount::overhead},
                                  StepColumn{"optimizer_ms", &StepAccount::optimizer},
                                  StepColumn{"communication_exposed_ms", &StepAccount::exposed},
                                  StepColumn{"waiting_ms", &StepAccount::waiting},
                                  StepColumn{"communication_ms", &StepAccount::communication}};

std::vector<Value> point_row(const std::string& series, const ScaledPoint& point,
                             const std::vector<ScalingPoint>& times, std::size_t index) {
  const ScalingPoint reference = reference_point(times);
  const bool trains = point.run.has_value();
  const auto time = [&](double seconds) { return trains ? Value{seconds / 60} : Value{}; };
  std::vector<Value> row{series,
                         whole(point.accelerators),
                         point.batch,
                         point.micro_batch,
                         time(point.time().base()),
                         time(point.seconds ? point.seconds->low : 0),
                         time(point.seconds ? point.seconds->high : 0),
                         1 / point.seconds_per_sample().base(),
                         speedup(times[index], reference),
                         relative_efficiency(times[index], reference),
                         index + 1 < times.size()
                             ? Value{gain_per_doubling(times[index], times[index + 1])}
                             : Value{}};
  for (const StepColumn& column : step_columns)
    row.emplace_back((point.step.*column.time).base() * 1e3);
  row.emplace_back(point.step.exposed / point.step.total);
  row.emplace_back(point.step.communication /
                   (point.step.computation() + point.step.communication));
  row.push_back(known(point.memory));
  row.emplace_back(bottleneck_of(point.step));
  row.emplace_back(std::string(to_text(point.basis)));
  row.emplace_back();
  return row;
}

/// Speedup and efficiency are of what the series compares: strong and weak scaling samples/s.
void add_series(Records& records, const ScaleSeries& series,
                const std::vector<ScalingPoint>& times) {
  for (std::size_t i = 0; i < series.points.size(); ++i)
    records.rows.push_back(point_row(series.name, series.points[i], times, i));
  for (const auto& [accelerators, why] : series.refused) {
    std::vector<Value> row(records.columns.size());
    row[0] = series.name;
    row[1] = whole(accelerators);
    row.back() = why;
    records.rows.push_back(std::move(row));
  }
}

/// A series of which only times are known.
void add_times(Records& records, const std::vector<ScalingPoint>& times) {
  const ScalingPoint reference = reference_point(times);
  for (std::size_t i = 0; i < times.size(); ++i) {
    std::vector<Value> row(records.columns.size());
    row[0] = std::string("given");
    row[1] = whole(times[i].accelerators);
    row[4] = times[i].minutes;
    row[8] = speedup(times[i], reference);
    row[9] = relative_efficiency(times[i], reference);
    if (i + 1 < times.size()) row[10] = gain_per_doubling(times[i], times[i + 1]);
    records.rows.push_back(std::move(row));
  }
}

}  // namespace

Records scale_point_records(const ScaleAnswer& answer) {
  Records records{.columns = {"series", "accelerators", "global_batch", "micro_batch", "time_min",
                              "time_low90_min", "time_high90_min", "samples_per_s", "speedup",
                              "efficiency", "gain_per_doubling"},
                  .rows = {}};
  for (const StepColumn& column : step_columns) records.columns.emplace_back(column.name);
  records.columns.insert(records.columns.end(),
                         {"communication_exposed_share", "communication_share", "memory_share",
                          "bottleneck", "basis", "refused"});
  if (answer.main)
    add_series(records, *answer.main, answer.times);
  else
    add_times(records, answer.times);
  for (const auto* series : {&answer.strong, &answer.weak})
    if (*series) add_series(records, **series, sample_times_of((*series)->points));
  return records;
}

Records scale_law_records(const ScaleAnswer& answer) {
  Records records{
      .columns = {"law", "formula", "parameter", "value", "low90", "high90", "mean_error",
                  "worst_error", "held_out_above", "held_out_mean_error", "held_out_worst_error"},
      .rows = {}};
  for (const LawFit& fit : answer.laws)
    for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
      const FittedParameter& parameter = fit.parameters[i];
      const auto of_interval = [&](double Interval::*end) {
        return parameter.interval ? Value{(*parameter.interval).*end} : Value{};
      };
      const auto of_held_out = [&](double ErrorSummary::*error) {
        return fit.held_out ? Value{fit.held_out->error.*error} : Value{};
      };
      records.rows.push_back({std::string(fit.law->name), std::string(fit.law->formula),
                              std::string(fit.law->parameters[i]), parameter.value,
                              of_interval(&Interval::low), of_interval(&Interval::high),
                              fit.error.mean, fit.error.worst,
                              fit.held_out ? whole(fit.held_out->largest_seen) : Value{},
                              of_held_out(&ErrorSummary::mean), of_held_out(&ErrorSummary::worst)});
    }
  return records;
}

Records scale_knee_records(const ScaleAnswer& answer) {
  Records records{
      .columns = {"knee", "definition", "accelerators", "between", "is_first", "is_last",
                  "rows_left_out", "least_between_without_a_row", "most_between_without_a_row"},
      .rows = {}};
  for (std::size_t k = 0; k < answer.knees.size(); ++k) {
    const Knee& knee = answer.knees[k];
    std::optional<double> least;
    std::optional<double> most;
    for (const LeftOut& without : answer.left_out) {
      if (!without.knees[k].accelerators) continue;
      const double between = without.knees[k].between;
      least = std::min(least.value_or(between), between);
      most = std::max(most.value_or(between), between);
    }
    records.rows.push_back(
        {std::string(knee.name), knee.definition, known(knee.accelerators), known(between_of(knee)),
         whole(knee.is_first ? 1 : 0), whole(knee.is_last ? 1 : 0),
         whole(static_cast<int>(answer.left_out.size())), known(least), known(most)});
  }
  return records;
}

Records scale_left_out_records(const ScaleAnswer& answer) {
  Records records{.columns = {"row", "time_at_first_knee_change"}, .rows = {}};
  for (const Knee& knee : answer.knees) {
    records.columns.push_back("knee_" + std::string(knee.name) + "_accelerators");
    records.columns.push_back("knee_" + std::string(knee.name) + "_between");
  }
  for (const LeftOut& without : answer.left_out) {
    auto& row = records.rows.emplace_back();
    row = {without.row, without.time_at_knee};
    for (const Knee& knee : without.knees) {
      row.push_back(known(knee.accelerators));
      row.push_back(known(between_of(knee)));
    }
  }
  return records;
}

}  // namespace tofn
