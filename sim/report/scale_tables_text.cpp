#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/report/figure_text.hpp"
#include "sim/report/scale_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string gain_text(const std::vector<ScalingPoint>& times, std::size_t index) {
  if (index + 1 >= times.size()) return "-";
  return fmt::format("{:.0f}", 100 * gain_per_doubling(times[index], times[index + 1]));
}

/// Speedup, efficiency and gain, which every series has.
std::vector<std::string> scaling_cells(const std::vector<ScalingPoint>& times, std::size_t index) {
  const ScalingPoint reference = reference_point(times);
  return {fmt::format("{:.2f}", speedup(times[index], reference)),
          fmt::format("{:.0f}", 100 * relative_efficiency(times[index], reference)),
          gain_text(times, index)};
}

/// `12.3 to 14.5`, in this unit.
std::string range_in(const Interval& seconds, double unit) {
  const auto high = upper_end(seconds);
  return fmt::format("{} to {}", short_figure(seconds.low / unit),
                     high ? short_figure(*high / unit) : "no end");
}

/// Of a run with an overrun the middle of what its interval holds, else as simulated.
double expected_seconds(const ScaledPoint& point) {
  const double simulated = point.time().base();
  if (!point.estimate || point.estimate->overrun.is_none()) return simulated;
  return simulated * point.estimate->time.median;
}

/// A unit that suits all times of a series.
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

void append(std::vector<std::string>& cells, std::vector<std::string> more) {
  std::move(more.begin(), more.end(), std::back_inserter(cells));
}

/// Sizes with the reason of the first: those of the others differ in numbers alone.
std::string refused_text(const ScaleSeries& series) {
  if (series.refused.empty()) return {};
  std::vector<int> sizes;
  for (const auto& [accelerators, why] : series.refused) sizes.push_back(accelerators);
  return fmt::format("  {}: not on {}: {}\n", series.name, fmt::join(sizes, ", "),
                     series.refused.front().second);
}

const ScaledPoint* point_at(const ScaleSeries& series, int accelerators) {
  const auto found =
      std::find_if(series.points.begin(), series.points.end(),
                   [&](const ScaledPoint& point) { return point.accelerators == accelerators; });
  return found == series.points.end() ? nullptr : &*found;
}

/// One half of the table of strong and weak scaling: `first` is the batch or the samples a pass.
std::vector<std::string> half_cells(const ScaleSeries& series, int accelerators,
                                    double ScaledPoint::*first) {
  const ScaledPoint* point = point_at(series, accelerators);
  if (point == nullptr) return {"-", "-", "-", "-", "-", "-", "-"};
  const auto times = sample_times_of(series.points);
  const auto whole = times_of(series.points);
  const auto index = static_cast<std::size_t>(point - series.points.data());
  const StepTimes& step = point->step;
  return {fmt::format("{:g}", point->*first),
          short_milliseconds(step.total),
          fmt::format("{:.0f}", 100 * relative_efficiency(times[index], reference_point(times))),
          point->run ? fmt::format("{:.0f}",
                                   100 * relative_efficiency(whole[index], reference_point(whole)))
                     : "-",
          percent(step.exposed().time / step.total),
          percent(step.communication / (step.computation() + step.communication)),
          bottleneck_of(step).name};
}

}  // namespace

std::string main_table(const ScaleSeries& series, const std::vector<ScalingPoint>& times) {
  if (series.points.empty()) return "";
  const bool trains = series.points.front().run.has_value();
  const SeriesUnit unit = unit_of(times);
  std::vector<TextTable::Column> columns{{"N"}, {"batch"}, {trains ? unit.name : "samples/s"}};
  if (trains) columns.push_back({"90 %"});
  columns.insert(columns.end(), {{"speedup"}, {"eff. %"}, {"gain %"}});
  if (!trains) columns.push_back({"step ms"});
  columns.insert(columns.end(), {{"exposed %"}, {"limited by", Align::Left}});
  TextTable table(columns);
  bool all_fit = true;
  for (std::size_t i = 0; i < series.points.size(); ++i) {
    const ScaledPoint& point = series.points[i];
    all_fit = all_fit && point.fits();
    std::vector<std::string> cells{fmt::format("{}{}", point.accelerators, point.fits() ? "" : "!"),
                                   fmt::format("{:g}", point.batch),
                                   short_figure(trains ? expected_seconds(point) / unit.seconds
                                                       : 1 / point.seconds_per_sample().base())};
    if (trains) cells.push_back(point.seconds ? range_in(*point.seconds, unit.seconds) : "-");
    append(cells, scaling_cells(times, i));
    if (!trains) cells.push_back(short_milliseconds(point.step.total));
    append(cells,
           {percent(point.step.exposed().time / point.step.total), bottleneck_of(point.step).name});
    table.add(std::move(cells));
  }
  return table.render() + refused_text(series) +
         (all_fit ? "" : "!: it does not fit the memory\n") +
         "gain: of speed by the next doubling; exposed: communication that nothing "
         "hides; mixed: no single limit; overhead: launches and small kernels\n";
}

std::string parts_table(const ScaleSeries& series) {
  TextTable table({{"N"},
                   {"step ms"},
                   {"samples a replica and pass"},
                   {"communication %"},
                   {"launches %"},
                   {"step ms, 90 %"},
                   {"memory %"},
                   {"basis", Align::Left}});
  for (const ScaledPoint& point : series.points) {
    const StepTimes& step = point.step;
    table.add({fmt::format("{}", point.accelerators), short_milliseconds(step.total),
               fmt::format("{:g}", point.micro_batch),
               percent(step.communication / (step.computation() + step.communication)),
               percent(part(step.parts, StepPart::Launch) / step.total),
               point.seconds && !point.run ? range_in(*point.seconds, 1e-3) : "-",
               point.memory ? fmt::format("{:.0f}", 100 * *point.memory) : "-",
               std::string(to_text(point.basis))});
  }
  return table.render() +
         "communication: hidden or not, of computation and communication; launches: work of each "
         "pass, whatever its samples\n";
}

std::string times_table(const std::vector<ScalingPoint>& times) {
  const SeriesUnit unit = unit_of(times);
  TextTable table({{"N"}, {unit.name}, {"speedup"}, {"eff. %"}, {"gain %"}});
  for (std::size_t i = 0; i < times.size(); ++i) {
    std::vector<std::string> cells{fmt::format("{}", times[i].accelerators),
                                   short_figure(times[i].minutes * 60 / unit.seconds)};
    append(cells, scaling_cells(times, i));
    table.add(std::move(cells));
  }
  return table.render() + "gain: of speed by the next doubling\n";
}

std::string strong_weak_table(const ScaleSeries& strong, const ScaleSeries& weak) {
  std::set<int> sizes;
  for (const ScaleSeries* each : {&strong, &weak})
    for (const ScaledPoint& point : each->points) sizes.insert(point.accelerators);
  TextTable table({{"N"},
                   {"strong: b"},
                   {"step ms"},
                   {"eff. %"},
                   {"target %"},
                   {"exposed %"},
                   {"comm %"},
                   {"limited by", Align::Left},
                   {"weak: batch"},
                   {"step ms"},
                   {"eff. %"},
                   {"target %"},
                   {"exposed %"},
                   {"comm %"},
                   {"limited by", Align::Left}});
  for (const int size : sizes) {
    std::vector<std::string> cells{fmt::format("{}", size)};
    append(cells, half_cells(strong, size, &ScaledPoint::micro_batch));
    append(cells, half_cells(weak, size, &ScaledPoint::batch));
    table.add(std::move(cells));
  }
  return fmt::format(
      "strong scaling, {}; weak scaling, {}; target: efficiency of the time to the target, to "
      "which "
      "larger batches take more samples\n{}{}{}",
      strong.rule, weak.rule, table.render(), refused_text(strong), refused_text(weak));
}

}  // namespace report
}  // namespace tofn
