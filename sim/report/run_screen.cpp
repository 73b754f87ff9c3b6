#include "sim/report/run_screen.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/overrun_words.hpp"
#include "sim/answers/step_answer.hpp"
#include "sim/core/count_text.hpp"
#include "sim/core/words.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/limits_text.hpp"
#include "sim/report/notes.hpp"

namespace tofn {
inline namespace report {
namespace {

using Figure = double RunFigures::*;

double expected(const RunEstimate& run, Figure figure) { return *run.typical(figure_of(figure)); }

/// Range such as `1.31M to 7.12M USD`; `factor` converts into the unit.
std::string range_words(const RunEstimate& run, Figure figure, std::string_view unit,
                        double factor = 1) {
  const Interval range = run.interval(figure_of(figure));
  if (range.low == range.high) return {};
  const auto high = upper_end(range);
  const std::string low = short_figure(factor * range.low);
  std::string text =
      high ? fmt::format("{} to {}", low, short_figure(factor * *high)) : "at least " + low;
  return unit.empty() ? text : fmt::format("{} {}", text, unit);
}

/// Duration of a run; benchmarks are in minutes, as in their tables.
std::string length_words(const RunEstimate& run, double minutes_or_days) {
  if (run.is_scored) return short_figure(minutes_or_days) + " minutes";
  return time_words(Seconds{minutes_or_days * 24 * seconds_per_hour});
}

std::string time_line(const RunEstimate& run) {
  const Figure figure = run.time_figure().value;
  const std::string time = length_words(run, expected(run, figure));
  if (run.is_scored)
    return fact_line("time", time, range_words(run, figure, "minutes"), "by the benchmark's rules");
  const auto seconds = [](double days) { return days * 24 * seconds_per_hour; };
  const Interval days = run.interval(figure_of(figure));
  const Seconds of{seconds(expected(run, figure))};
  return fact_line("time", time, time_range_words({seconds(days.low), seconds(days.high)}, of),
                   run.overrun.is_none()
                       ? "simulated"
                       : time_words(Seconds{seconds(run.expected.*figure)}, of) + " simulated");
}

std::string cost_line(const RunEstimate& run) {
  if (!run.expense.price) return {};
  const double usd = expected(run, &RunFigures::usd);
  const int idle = run.expense.power.idle_accelerators;
  const std::string also = idle > 0 ? fmt::format(", and of {} idle ones", idle) : "";
  return fact_line(
      "cost", short_figure(usd) + " USD", range_words(run, &RunFigures::usd, "USD"),
      fmt::format("at {:g} USD an hour each{}", run.expense.price->usd_per_hour, also));
}

std::string speed_line(const RunEstimate& run) {
  const RunFigures& f = run.expected;
  const bool has_tokens = f.tokens_per_second > 0;
  const Figure rate = has_tokens ? &RunFigures::tokens_per_second : &RunFigures::samples_per_second;
  const std::string_view unit = has_tokens ? "tokens/s" : "samples/s";
  std::string rest = fmt::format("a step of {}", time_words(Seconds{f.step_seconds}));
  // A model's run has a line of its own on a precision.
  std::string of;
  if (const Benchmark* benchmark = run.benchmark())
    of = fmt::format(" of {}", to_text(benchmark->parameters.compute.precision.matmul));
  if (f.mfu > 0) rest = fmt::format("MFU {:.0f} %{}, {}", 100 * f.mfu, of, rest);
  return fact_line("step speed", fmt::format("{} {}", short_figure(f.*rate), unit),
                   range_words(run, rate, ""), rest);
}

/// Energy from which on MWh are printed, in kWh.
constexpr double least_in_megawatt_hours = 1e4;

std::string energy_line(const RunEstimate& run) {
  const double energy = expected(run, &RunFigures::kilowatt_hours);
  const bool is_large = energy >= least_in_megawatt_hours;
  const double factor = is_large ? 1e-3 : 1;
  const std::string_view unit = is_large ? "MWh" : "kWh";
  return fact_line("energy", energy_words(energy),
                   range_words(run, &RunFigures::kilowatt_hours, unit, factor),
                   fmt::format("{} t CO2e", short_figure(expected(run, &RunFigures::co2_tonnes))));
}

struct TimeUnit {
  std::string_view name;
  double seconds;
};
TimeUnit unit_of(Seconds time) {
  constexpr double least = 2;
  for (const TimeUnit unit :
       {TimeUnit{"days", 86400}, TimeUnit{"hours", 3600}, TimeUnit{"minutes", 60}})
    if (time.base() >= least * unit.seconds) return unit;
  return time.base() >= 1 ? TimeUnit{"s", 1} : TimeUnit{"ms", 1e-3};
}

}  // namespace

std::string time_words(Seconds time) { return time_words(time, time); }

std::string time_words(Seconds time, Seconds of) {
  const TimeUnit unit = unit_of(of);
  return fmt::format("{} {}", short_figure(time.base() / unit.seconds), unit.name);
}

std::string energy_words(double kilowatt_hours) {
  return kilowatt_hours >= least_in_megawatt_hours ? short_figure(kilowatt_hours * 1e-3) + " MWh"
                                                   : short_figure(kilowatt_hours) + " kWh";
}

std::string time_range_words(const Interval& seconds, Seconds of) {
  if (seconds.low == seconds.high) return {};
  const TimeUnit unit = unit_of(of);
  const std::string low = short_figure(seconds.low / unit.seconds);
  const auto high = upper_end(seconds);
  return high ? fmt::format("{} to {} {}", low, short_figure(*high / unit.seconds), unit.name)
              : fmt::format("at least {} {}", low, unit.name);
}

std::string fact_line(std::string_view label, std::string_view value, std::string_view range,
                      std::string_view rest) {
  std::string text = fmt::format("{:<14} {:<22} {}", value, range, rest);
  text.erase(text.find_last_not_of(' ') + 1);
  return note(label, text);
}

std::string step_memory_words(const SimulatedStep& step) {
  const Footprint& fullest = step.memory[step.tightest()];
  const Accelerator& chip = step.holder(step.tightest());
  const double memory = gigabytes(chip.memory.value);
  const bool close = is_close(fullest, chip);
  std::string text = fmt::format("of {:.{}f} GB", memory, close ? 1 : 0);
  if (step.memory.size() > 1) text += fmt::format(", most loaded of {} stages", step.memory.size());
  if (fits(step)) return text + (close ? ": fits barely (estimate +-5 %)" : ": fits");
  return text + fmt::format(": {}, {:.1f} GB are missing",
                            close ? "MAY NOT FIT (estimate +-5 %)" : "DOES NOT FIT",
                            gigabytes(fullest.total()) - memory);
}

std::string run_facts_text(const RunPoint& point, const std::string& memory) {
  const RunEstimate& run = *point.estimate;
  std::string text;
  if (!run.is_one_step) text += time_line(run) + cost_line(run);
  if (!memory.empty())
    text +=
        note("memory",
             fmt::format("{:<14} {}", short_figure(run.expected.memory_gigabytes) + " GB", memory));
  text += speed_line(run);
  return run.is_one_step ? text : text + energy_line(run);
}

std::string beside_steps_text(const RunEstimate& run) {
  using Part = std::pair<std::string_view, double RunFigures::*>;
  constexpr std::array<Part, 4> others{{{"start-up", &RunFigures::start_up_seconds},
                                        {"evaluation", &RunFigures::evaluation_seconds},
                                        {"reading data", &RunFigures::input_seconds},
                                        {"failures", &RunFigures::lost_seconds}}};
  constexpr double most = 0.8;
  const double steps = run.expected.training_seconds;
  double all = steps;
  for (const auto& [name, seconds] : others) all += run.expected.*seconds;
  if (run.is_one_step || steps >= most * all) return {};
  std::string text = fmt::format("steps {:.0f} % of the time", 100 * steps / all);
  for (const auto& [name, seconds] : others)
    if (const double share = run.expected.*seconds / all; share >= 5e-3)
      text += fmt::format(", {} {:.0f} %", name, 100 * share);
  return note("run", text);
}

std::string step_bars_text(const StepTimes& step) {
  constexpr double least = 0.01;
  constexpr double longest = 28;
  std::vector<std::size_t> order(step_parts.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto share = [&](std::size_t i) { return step.parts[i] / step.total; };
  std::ranges::stable_sort(order,
                           [&](std::size_t a, std::size_t b) { return share(a) > share(b); });
  std::string text;
  std::vector<std::string> small;
  for (const std::size_t i : order) {
    if (share(i) < 0.0005) continue;
    if (share(i) < least) {
      small.push_back(fmt::format("{} {:.1f} %", step_part_titles[i], 100 * share(i)));
      continue;
    }
    const auto length = static_cast<std::size_t>(std::max(1.0, std::round(longest * share(i))));
    text +=
        note(text.empty() ? "step" : "", fmt::format("{:<29} {:>3.0f} %  {}", step_part_titles[i],
                                                     100 * share(i), std::string(length, '#')));
  }
  if (!small.empty()) text += note("", fmt::format("{}", fmt::join(small, ", ")));
  return text;
}

std::string run_headline(const RunPoint& point) {
  const RunEstimate& run = *point.estimate;
  if (run.is_one_step) return time_words(Seconds{run.expected.step_seconds}) + " a step";
  const Figure figure = run.time_figure().value;
  std::string text = length_words(run, expected(run, figure));
  text += run.is_scored ? " to train" : run.overrun.is_none() ? " simulated" : " expected";
  if (run.expense.price)
    text += fmt::format(", {} USD", short_figure(expected(run, &RunFigures::usd)));
  return text;
}

std::string chance_words(const RunPoint& point, const std::vector<RunLimit>& limits) {
  if (limits.empty() || !point.estimate) return {};
  return fmt::format("{:.0f} % chance of at most {}", 100 * chance_of(*point.estimate, limits),
                     limits_text(limits));
}

std::string ranges_text(const RunEstimate& run) {
  if (run.is_one_step) return {};
  if (run.is_scored)
    return note("ranges",
                "are meant to hold 90 % of what steps, convergence and assumed figures leave open");
  return note("ranges", overrun_in_short(run.overrun));
}

}  // namespace report
}  // namespace tofn
