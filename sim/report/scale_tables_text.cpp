#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/figure_columns.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/scale_report.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

/// A size of a series.
struct SizeRow {
  const std::vector<ScalingPoint>& times;
  std::size_t index;
  const ScaledPoint* point = nullptr;  ///< nullptr if only its time is known
};

std::vector<SizeRow> rows_of(const std::vector<ScalingPoint>& times, const ScaleSeries* series) {
  std::vector<SizeRow> rows;
  for (std::size_t i = 0; i < times.size(); ++i)
    rows.push_back({times, i, series ? &series->points[i] : nullptr});
  return rows;
}

/// Adds speedup, efficiency and gain, which every series has.
void add_scaling(TableColumns<SizeRow>& columns) {
  using Row = SizeRow;
  const auto gain = [](const Row& r) {
    return r.index + 1 < r.times.size()
               ? std::optional(gain_per_doubling(r.times[r.index], r.times[r.index + 1]))
               : std::nullopt;
  };
  const auto efficiency = [](const Row& r) {
    return relative_efficiency(r.times[r.index], reference_point(r.times));
  };
  columns.insert(
      columns.end(),
      {right(
           "speedup",
           [](const Row& r) { return speedup(r.times[r.index], reference_point(r.times)); },
           "{:.2f}"),
       right("eff. %", efficiency, whole_percent), right("gain %", gain, whole_percent)});
}

/// Range in this unit: `12.3 to 14.5`.
std::string range_in(const Interval& seconds, double unit) {
  const auto high = upper_end(seconds);
  return fmt::format("{} to {}", short_figure(seconds.low / unit),
                     high ? short_figure(*high / unit) : "no end");
}

/// Median of the sampled time for a run with an overrun, else the simulated time; in seconds.
double expected_seconds(const ScaledPoint& point) {
  const double simulated = point.time().base();
  if (!point.estimate || point.estimate->overrun.is_none()) return simulated;
  return simulated * point.estimate->time.median;
}

/// Unit that suits all times of a series.
struct SeriesUnit {
  std::string name;
  double seconds;
};
SeriesUnit unit_of(const std::vector<ScalingPoint>& times) {
  const double middle = times[times.size() / 2].minutes;
  if (middle >= 2 * 1440) return {"days", 86400};
  if (middle >= 2 * 60) return {"hours", 3600};
  return {"minutes", 60};
}

/// Expected cost of a point's run; absent without a price.
std::optional<double> run_cost(const ScaledPoint& point) {
  if (!point.run || !point.estimate || !point.estimate->expense.price) return {};
  return point.estimate->typical(figure_of(&RunFigures::usd));
}

/// Line with the refused sizes and the reason of the first one; the others differ only in numbers.
std::string refused_text(const ScaleSeries& series) {
  if (series.refused.empty()) return {};
  std::vector<int> sizes;
  for (const auto& [accelerators, why] : series.refused) sizes.push_back(accelerators);
  return fmt::format("  {}: not on {}: {}\n", series.name, fmt::join(sizes, ", "),
                     series.refused.front().second);
}

const ScaledPoint* point_at(const ScaleSeries& series, int accelerators) {
  const auto found = std::ranges::find(series.points, accelerators, &ScaledPoint::accelerators);
  return found == series.points.end() ? nullptr : &*found;
}

/// A size of strong or weak scaling, or of both.
struct ComparedSize {
  int accelerators;
};

/// Adds one half of the table of strong and weak scaling; `first` is the batch or the samples of a
/// pass.
void add_half(TableColumns<ComparedSize>& columns, const ScaleSeries& series, const char* head,
              double ScaledPoint::*first) {
  using Point = ScaledPoint;
  const auto of_point = [&series](auto figure) {
    return of_its(
        [&series](const ComparedSize& size) { return point_at(series, size.accelerators); },
        figure);
  };
  const auto efficiency = [&series](const Point& p, const std::vector<ScalingPoint>& times) {
    return relative_efficiency(times[static_cast<std::size_t>(&p - series.points.data())],
                               reference_point(times));
  };
  const auto target = [=, &series](const Point& p) {
    return p.run ? std::optional(efficiency(p, times_of(series.points))) : std::nullopt;
  };
  const auto communication = [](const Point& p) {
    return p.step.communication / (p.step.computation() + p.step.communication);
  };
  columns.insert(
      columns.end(),
      {right(head, of_point(first), "{:g}"),
       right("step ms", of_point([](const Point& p) { return short_milliseconds(p.step.total); })),
       right("eff. %", of_point([=, &series](const Point& p) {
               return efficiency(p, sample_times_of(series.points));
             }),
             whole_percent),
       right("target %", of_point(target), whole_percent),
       right("exposed %",
             of_point([](const Point& p) { return p.step.exposed().time / p.step.total; }),
             percent),
       right("comm %", of_point(communication), percent),
       left("limited by", of_point([](const Point& p) { return bottleneck_of(p.step).name; }))});
}

}  // namespace

std::string main_table(const ScaleSeries& series, const std::vector<ScalingPoint>& times,
                       bool is_of_money) {
  if (series.points.empty()) return "";
  const bool trains = series.points.front().run.has_value();
  const SeriesUnit unit = unit_of(times);
  using Row = SizeRow;
  const auto of_point = [](auto figure) { return of_its(&Row::point, figure); };
  using Point = ScaledPoint;
  const auto size = [](const Point& p) {
    return fmt::format("{}{}", p.accelerators, p.fits() ? "" : "!");
  };
  const auto speed = [=](const Point& p) {
    return trains ? expected_seconds(p) / unit.seconds : 1 / p.seconds_per_sample().base();
  };
  const auto interval = [=](const Point& p) {
    return p.seconds ? range_in(*p.seconds, unit.seconds) : "-";
  };
  TableColumns<Row> columns{right("N", of_point(size)),
                            right("batch", of_point(&Point::batch), "{:g}"),
                            right(trains ? unit.name : "samples/s", of_point(speed), short_figure)};
  if (trains) columns.push_back(right("90 %", of_point(interval)));
  if (trains && is_of_money &&
      std::ranges::any_of(series.points, [](const Point& p) { return run_cost(p).has_value(); }))
    columns.push_back(right("USD", of_point(run_cost), short_figure));
  add_scaling(columns);
  if (!trains)
    columns.push_back(right(
        "step ms", of_point([](const Point& p) { return short_milliseconds(p.step.total); })));
  columns.insert(
      columns.end(),
      {right("exposed %",
             of_point([](const Point& p) { return p.step.exposed().time / p.step.total; }),
             percent),
       left("limited by", of_point([](const Point& p) { return bottleneck_of(p.step).name; }))});
  const bool all_fit =
      std::ranges::all_of(series.points, [](const Point& point) { return point.fits(); });
  return table_text(columns, rows_of(times, &series)) + refused_text(series) +
         (all_fit ? "" : "!: it does not fit the memory\n") +
         "gain: of speed by the next doubling; exposed: communication that nothing "
         "hides; mixed: no single limit; overhead: launches and small kernels\n";
}

std::string parts_table(const ScaleSeries& series) {
  using Point = ScaledPoint;
  const auto communication = [](const Point& p) {
    return p.step.communication / (p.step.computation() + p.step.communication);
  };
  const auto launches = [](const Point& p) {
    return part(p.step.parts, StepPart::Launch) / p.step.total;
  };
  const auto interval = [](const Point& p) {
    return p.seconds && !p.run ? range_in(*p.seconds, 1e-3) : "-";
  };
  const TableColumns<Point> columns{
      right("N", &Point::accelerators),
      right("step ms", [](const Point& p) { return short_milliseconds(p.step.total); }),
      right("samples a replica and pass", &Point::micro_batch, "{:g}"),
      right("communication %", communication, percent),
      right("launches %", launches, percent),
      right("step ms, 90 %", interval),
      right("memory %", &Point::memory, whole_percent),
      left("basis", &Point::basis)};
  return table_text(columns, series.points) +
         "communication: hidden or not, of computation and communication; launches: work of each "
         "pass, whatever its samples\n";
}

std::string times_table(const std::vector<ScalingPoint>& times) {
  const SeriesUnit unit = unit_of(times);
  using Row = SizeRow;
  const auto time = [=](const Row& r) { return r.times[r.index].minutes * 60 / unit.seconds; };
  TableColumns<Row> columns{right("N", [](const Row& r) { return r.times[r.index].accelerators; }),
                            right(unit.name, time, short_figure)};
  add_scaling(columns);
  return table_text(columns, rows_of(times, nullptr)) + "gain: of speed by the next doubling\n";
}

std::string strong_weak_table(const ScaleSeries& strong, const ScaleSeries& weak) {
  std::set<int> sizes;
  for (const ScaleSeries* each : {&strong, &weak})
    for (const ScaledPoint& point : each->points) sizes.insert(point.accelerators);
  TableColumns<ComparedSize> columns{right("N", &ComparedSize::accelerators)};
  add_half(columns, strong, "strong: b", &ScaledPoint::micro_batch);
  add_half(columns, weak, "weak: batch", &ScaledPoint::batch);
  std::vector<ComparedSize> rows;
  for (const int size : sizes) rows.push_back({size});
  return fmt::format(
      "strong scaling, {}; weak scaling, {}; target: efficiency of the time to the target, to "
      "which "
      "larger batches take more samples\n{}{}{}",
      strong.rule, weak.rule, table_text(columns, rows), refused_text(strong), refused_text(weak));
}

}  // namespace report
}  // namespace tofn
