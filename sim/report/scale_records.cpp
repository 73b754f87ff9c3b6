#include <array>
#include <functional>
#include <string_view>

#include "sim/core/basis.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/scale_report.hpp"

namespace tofn {
namespace {

Value whole(int value) { return static_cast<long long>(value); }
template <class T>
Value known(const std::optional<T>& value) {
  return value ? Value{static_cast<double>(*value)} : Value{};
}
Value known(const std::string& text) { return text.empty() ? Value{} : Value{text}; }
Value known(const std::optional<int>& value) { return value ? whole(*value) : Value{}; }

std::optional<double> between_of(const Knee& knee) {
  return knee.accelerators ? std::optional(knee.between) : std::nullopt;
}

/// One size of a series. `point` is absent where only its time is known, or where it was refused.
struct PointRow {
  const ScaleAnswer* answer = nullptr;
  std::string series;
  int accelerators = 0;
  const ScaledPoint* point = nullptr;
  std::optional<double> minutes;  ///< of the job, where it trains to a target or was timed
  const std::vector<ScalingPoint>* times = nullptr;  ///< what speedup and efficiency compare
  std::size_t index = 0;                             ///< in `times`
  std::string refused;
};

template <auto time>
Value step_ms(const PointRow& row) {
  return row.point == nullptr ? Value{} : Value{std::invoke(time, row.point->step).base() * 1e3};
}
template <StepPart which>
Value part_ms(const PointRow& row) {
  return step_ms<[](const StepTimes& step) { return part(step.parts, which); }>(row);
}
Seconds exposed(const StepTimes& step) { return step.exposed().time; }

/// What `of` makes of a point's step.
template <class Of>
Value of_step(const PointRow& row, const Of& of) {
  return row.point == nullptr ? Value{} : Value{of(row.point->step)};
}

template <class Of>
Value of_times(const PointRow& row, const Of& of) {
  if (row.times == nullptr) return {};
  return Value{of((*row.times)[row.index], reference_point(*row.times))};
}

Value interval_end(const PointRow& row, double Interval::*end) {
  const bool is_known = row.point != nullptr && row.point->run && row.point->seconds;
  return is_known ? Value{(*row.point->seconds).*end / 60} : Value{};
}

Value gain_of(const PointRow& row) {
  if (row.times == nullptr || row.index + 1 >= row.times->size()) return {};
  return Value{gain_per_doubling((*row.times)[row.index], (*row.times)[row.index + 1])};
}

struct PointColumn {
  const char* name;
  Value (*value)(const PointRow&);
};
constexpr std::array point_columns{
    PointColumn{"workload", [](const PointRow& r) { return Value{r.answer->name}; }},
    PointColumn{"accelerator", [](const PointRow& r) { return known(r.answer->accelerator); }},
    PointColumn{"series", [](const PointRow& r) { return Value{r.series}; }},
    PointColumn{"accelerators", [](const PointRow& r) { return whole(r.accelerators); }},
    PointColumn{
        "global_batch",
        [](const PointRow& r) { return r.point != nullptr ? Value{r.point->batch} : Value{}; }},
    PointColumn{"micro_batch",
                [](const PointRow& r) {
                  return r.point != nullptr ? Value{r.point->micro_batch} : Value{};
                }},
    PointColumn{"time_min", [](const PointRow& r) { return known(r.minutes); }},
    PointColumn{"time_low90_min",
                [](const PointRow& r) { return interval_end(r, &Interval::low); }},
    PointColumn{"time_high90_min",
                [](const PointRow& r) { return interval_end(r, &Interval::high); }},
    PointColumn{"samples_per_s",
                [](const PointRow& r) {
                  return r.point != nullptr ? Value{1 / r.point->seconds_per_sample().base()}
                                            : Value{};
                }},
    PointColumn{"speedup", [](const PointRow& r) { return of_times(r, speedup); }},
    PointColumn{"efficiency", [](const PointRow& r) { return of_times(r, relative_efficiency); }},
    PointColumn{"gain_per_doubling", gain_of},
    PointColumn{"step_ms", step_ms<&StepTimes::total>},
    PointColumn{"arithmetic_ms", part_ms<StepPart::Compute>},
    PointColumn{"overhead_ms", part_ms<StepPart::Launch>},
    PointColumn{"optimizer_ms", part_ms<StepPart::Optimizer>},
    PointColumn{"communication_exposed_ms", step_ms<exposed>},
    PointColumn{"waiting_ms", step_ms<&StepTimes::waiting>},
    PointColumn{"communication_ms", step_ms<&StepTimes::communication>},
    PointColumn{"communication_exposed_share",
                [](const PointRow& r) {
                  return of_step(r, [](const StepTimes& s) { return exposed(s) / s.total; });
                }},
    PointColumn{"communication_share",
                [](const PointRow& r) {
                  return of_step(r, [](const StepTimes& s) {
                    return s.communication / (s.computation() + s.communication);
                  });
                }},
    PointColumn{
        "memory_share",
        [](const PointRow& r) { return r.point != nullptr ? known(r.point->memory) : Value{}; }},
    PointColumn{"bottleneck",
                [](const PointRow& r) {
                  return of_step(r, [](const StepTimes& s) { return bottleneck_of(s).name; });
                }},
    PointColumn{"basis",
                [](const PointRow& r) {
                  return r.point != nullptr ? Value{std::string(to_text(r.point->basis))} : Value{};
                }},
    PointColumn{"substituted",
                [](const PointRow& r) {
                  return r.point != nullptr ? substituted(r.point->substitutions) : Value{};
                }},
    PointColumn{"refused",
                [](const PointRow& r) { return r.refused.empty() ? Value{} : Value{r.refused}; }},
};

void add_row(Records& records, const PointRow& row) {
  auto& cells = records.rows.emplace_back();
  for (const PointColumn& column : point_columns) cells.push_back(column.value(row));
}

/// Speedup and efficiency are of what the series compares: strong and weak scaling samples/s.
void add_series(Records& records, const ScaleAnswer& answer, const ScaleSeries& series,
                const std::vector<ScalingPoint>& times) {
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const ScaledPoint& point = series.points[i];
    PointRow row{.answer = &answer,
                 .series = series.name,
                 .accelerators = point.accelerators,
                 .point = &point,
                 .minutes = {},
                 .times = &times,
                 .index = i,
                 .refused = {}};
    if (point.run) row.minutes = point.time().base() / 60;
    add_row(records, row);
  }
  for (const auto& [accelerators, why] : series.refused)
    add_row(records, {.answer = &answer,
                      .series = series.name,
                      .accelerators = accelerators,
                      .point = nullptr,
                      .minutes = {},
                      .times = nullptr,
                      .index = 0,
                      .refused = why});
}

/// A series of which only times are known.
void add_times(Records& records, const ScaleAnswer& answer) {
  const std::vector<ScalingPoint>& times = answer.times;
  for (std::size_t i = 0; i < times.size(); ++i)
    add_row(records, {.answer = &answer,
                      .series = "given",
                      .accelerators = times[i].accelerators,
                      .point = nullptr,
                      .minutes = times[i].minutes,
                      .times = &times,
                      .index = i,
                      .refused = {}});
}

}  // namespace

Records scale_point_records(const ScaleAnswer& answer) {
  Records records;
  for (const PointColumn& column : point_columns) records.columns.emplace_back(column.name);
  if (answer.main)
    add_series(records, answer, *answer.main, answer.times);
  else
    add_times(records, answer);
  for (const auto* series : {&answer.strong, &answer.weak})
    if (*series) add_series(records, answer, **series, sample_times_of((*series)->points));
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
  Records records{.columns = {"workload", "accelerator", "knee", "definition", "accelerators",
                              "between", "is_first", "is_last", "rows_left_out",
                              "least_between_without_a_row", "most_between_without_a_row"},
                  .rows = {}};
  for (std::size_t k = 0; k < answer.knees.size(); ++k) {
    const Knee& knee = answer.knees[k];
    std::optional<double> least;
    std::optional<double> most;
    for (const KneesWithoutRow& without : answer.left_out) {
      if (!without.knees[k].accelerators) continue;
      const double between = without.knees[k].between;
      least = std::min(least.value_or(between), between);
      most = std::max(most.value_or(between), between);
    }
    records.rows.push_back({answer.name, known(answer.accelerator), std::string(knee.name),
                            knee.definition, known(knee.accelerators), known(between_of(knee)),
                            whole(knee.is_first ? 1 : 0), whole(knee.is_last ? 1 : 0),
                            whole(static_cast<int>(answer.left_out.size())), known(least),
                            known(most)});
  }
  return records;
}

Records scale_left_out_records(const ScaleAnswer& answer) {
  Records records{.columns = {"row", "time_at_first_knee_change"}, .rows = {}};
  for (const Knee& knee : answer.knees) {
    records.columns.push_back("knee_" + std::string(knee.name) + "_accelerators");
    records.columns.push_back("knee_" + std::string(knee.name) + "_between");
  }
  for (const KneesWithoutRow& without : answer.left_out) {
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
