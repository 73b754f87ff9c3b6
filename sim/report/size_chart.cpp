#include "sim/report/size_chart.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/predict_answer.hpp"
#include "sim/report/figure_text.hpp"

namespace tofn {
inline namespace report {
namespace {

constexpr std::size_t axis_width = 48;
constexpr double bar_width = 10;
constexpr std::size_t fewest = 3;
constexpr double room_for_no_end = 2;

/// A logarithmic axis of characters.
class Axis {
 public:
  Axis(double low, double high) : low_(low), high_(high > low ? high : 2 * low) {}

  bool holds(double value) const { return value >= low_ * 0.999 && value <= high_ * 1.001; }
  std::size_t at(double value) const {
    const double share = std::log(value / low_) / std::log(high_ / low_);
    const double place = std::round(share * static_cast<double>(axis_width - 1));
    return static_cast<std::size_t>(std::clamp(place, 0.0, static_cast<double>(axis_width - 1)));
  }
  /// Line of ticks at 1, 2 and 5 of each power of ten; only the powers if the axis is too long for
  /// all.
  std::string ticks() const {
    constexpr double most_decades = 2.5;
    const bool is_long = std::log10(high_ / low_) > most_decades;
    std::string line(axis_width, ' ');
    for (double power = std::pow(10, std::floor(std::log10(low_))); power <= high_; power *= 10)
      for (const double step : {1.0, 2.0, 5.0})
        if ((!is_long || step == 1.0) && holds(power * step))
          put(line, fmt::format("{:g}", power * step), at(power * step));
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  }

 private:
  /// Writes a tick if no other tick is in its place.
  static void put(std::string& line, const std::string& text, std::size_t at) {
    const std::size_t start = at + text.size() > line.size() ? line.size() - text.size() : at;
    const std::size_t before = start == 0 ? 0 : start - 1;
    if (line.find_first_not_of(' ', before) == std::string::npos)  // ticks come in order
      line.replace(start, text.size(), text);
  }

  double low_;
  double high_;
};

std::string line_of(const SizeMark& mark, double perfect, const Axis& axis) {
  std::string line(axis_width, ' ');
  const std::size_t low = axis.at(mark.interval.low);
  const std::size_t high = axis.at(mark.interval.high);
  std::fill(line.begin() + static_cast<std::ptrdiff_t>(low),
            line.begin() + static_cast<std::ptrdiff_t>(high), '-');
  line[low] = '|';
  line[high] = upper_end(mark.interval) ? '|' : '>';
  if (axis.holds(perfect) && line[axis.at(perfect)] == ' ') line[axis.at(perfect)] = '.';
  line[axis.at(mark.time)] = 'o';
  return line;
}

/// Unit of time for people, with its minutes.
struct AxisUnit {
  std::string_view name;
  double minutes;
};

/// Unit for a time: days from two days on, hours from two hours on, else minutes or seconds.
AxisUnit unit_of(double minutes) {
  constexpr double least = 2;
  for (const AxisUnit unit : {AxisUnit{"days", 1440}, AxisUnit{"hours", 60}})
    if (minutes >= least * unit.minutes) return unit;
  return minutes >= 1.0 / 30 ? AxisUnit{"minutes", 1} : AxisUnit{"s", 1.0 / 60};
}

std::string time_words(double minutes) {
  const AxisUnit unit = unit_of(minutes);
  return fmt::format("{} {}", short_figure(minutes / unit.minutes), unit.name);
}

constexpr double minutes_per_day = 1440;

/// Words such as ` (0.8 days, 2.9 hours simulated)`, for marks with an overrun.
std::string simulated_words(std::initializer_list<const SizeMark*> marks) {
  std::vector<std::string> times;
  for (const SizeMark* mark : marks)
    if (mark->simulated) times.push_back(time_words(*mark->simulated));
  return times.empty() ? "" : fmt::format(" ({} simulated)", fmt::join(times, ", "));
}

}  // namespace

void expect_overrun(SizeMark& mark, const RunEstimate& run) {
  if (run.overrun.is_none()) return;
  mark.simulated = mark.time;
  mark.time *= *run.typical(run.time_figure()) / (run.expected.*run.time_figure().value);
}

std::string time_chart(std::vector<SizeMark> marks) {
  if (marks.empty()) return {};
  // The middle mark's unit reads well at both ends.
  const AxisUnit unit = unit_of(marks[marks.size() / 2].time);
  for (SizeMark& mark : marks) {
    mark.time /= unit.minutes;
    mark.interval = {mark.interval.low / unit.minutes, mark.interval.high / unit.minutes};
  }
  return size_chart(marks, unit.name);
}

std::vector<SizeMark> run_marks(const std::vector<RunPoint>& points) {
  const std::vector<const RunPoint*> chosen = compared(points);
  if (chosen.empty()) return {};
  const std::vector<ScalingPoint> scaling = scaling_points(points);
  const ScalingPoint reference = fitting_reference(points, scaling);
  auto scaled = scaling.begin();
  std::vector<SizeMark> marks;
  for (const RunPoint& point : points) {
    if (!point.estimate) continue;
    const ScalingPoint& size = *scaled++;
    if (std::ranges::find(chosen, &point) == chosen.end()) continue;
    const RunEstimate& run = *point.estimate;
    const Interval interval = run.interval(run.time_figure());
    const double unit = run.is_scored ? 1 : minutes_per_day;
    marks.push_back({.accelerators = point.accelerators,
                     .time = run.duration().base() / 60,
                     .interval = {interval.low * unit, interval.high * unit},
                     .efficiency = relative_efficiency(size, reference)});
    expect_overrun(marks.back(), run);
  }
  return marks;
}

std::string sizes_sentence(const std::vector<SizeMark>& marks) {
  const SizeMark& first = marks.front();
  const SizeMark& last = marks.back();
  std::string text = fmt::format("{} on {}", time_words(first.time), first.accelerators);
  if (marks.size() == 1) return text + " accelerators" + simulated_words({&first});
  return text + fmt::format(", {} on {} accelerators{}: {:.3g} x as fast at {:.0f} % efficiency",
                            time_words(last.time), last.accelerators,
                            simulated_words({&first, &last}),
                            last.efficiency * last.accelerators / first.accelerators,
                            100 * last.efficiency);
}

std::string training_words(const std::vector<RunPoint>& points,
                           const std::vector<SizeMark>& marks) {
  if (marks.empty()) return {};
  const bool any_fits = std::ranges::any_of(
      points, [](const RunPoint& point) { return point.estimate && point.fits; });
  return fmt::format("{}{}", any_fits ? " trains in " : fmt::format(": {}trains in ", no_size_fits),
                     sizes_sentence(marks));
}

std::string size_chart(const std::vector<SizeMark>& marks, std::string_view unit) {
  if (marks.size() < fewest) return {};
  double low = marks.front().time;
  double high = low;
  bool has_end = true;
  const SizeMark& first = marks.front();
  const auto perfect = [&first](const SizeMark& mark) {
    return first.time * first.accelerators / mark.accelerators;
  };
  for (const SizeMark& mark : marks) {
    low = std::min({low, mark.interval.low, perfect(mark)});
    high = std::max(high, upper_end(mark.interval).value_or(room_for_no_end * mark.time));
    has_end = has_end && upper_end(mark.interval);
  }
  const Axis axis(low, high);
  std::string text =
      fmt::format("{:>8} {:<{}}  efficiency\n{:>8} {}\n", "N", unit, axis_width, "", axis.ticks());
  for (const SizeMark& mark : marks) {
    const double bar = std::clamp(std::round(bar_width * mark.efficiency), 0.0, 1.5 * bar_width);
    text += fmt::format("{:>8} {}  {:>3.0f} % {}\n", mark.accelerators,
                        line_of(mark, perfect(mark), axis), 100 * mark.efficiency,
                        std::string(static_cast<std::size_t>(bar), '#'));
  }
  const bool has_overrun =
      std::ranges::any_of(marks, [](const SizeMark& mark) { return mark.simulated.has_value(); });
  const bool has_interval = std::ranges::any_of(
      marks, [](const SizeMark& mark) { return mark.interval.low < mark.interval.high; });
  if (has_interval)
    text += fmt::format("{}: 90 % interval{}; ", has_overrun ? "o expected, |--|" : "|-o--|",
                        has_end ? "" : ", >: without end");
  return text + "dots: perfect scaling from the smallest N\n";
}

}  // namespace report
}  // namespace tofn
