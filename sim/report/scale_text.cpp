#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_columns.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/scale_report.hpp"
#include "sim/report/size_chart.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string parameters_text(const LawFit& fit) {
  std::string text;
  for (std::size_t i = 0; i < fit.parameters.size(); ++i) {
    const FittedParameter& parameter = fit.parameters[i];
    text += fmt::format("{}{} {:.3g}", i == 0 ? "" : ", ", fit.law->parameters[i], parameter.value);
    if (parameter.interval)
      text += fmt::format(" +- {:.2g}", parameter.interval->high - parameter.value);
  }
  return text;
}

std::string laws_text(const ScaleAnswer& answer) {
  if (answer.laws.empty()) return "no law can be fitted: too few sizes\n";
  std::optional<LargerSizesError> held_out;
  for (const LawFit& fit : answer.laws)
    if (fit.held_out) held_out = fit.held_out;
  using Row = LawFit;
  const auto of_held_out = [](auto figure) {
    return of_its(&Row::held_out, &LargerSizesError::error, figure);
  };
  const TableColumns<Row> columns{left("law", of_its(&Row::law, &Law::name)),
                                  left("formula", of_its(&Row::law, &Law::formula)),
                                  left("parameters, 90 %", parameters_text),
                                  right("off by %", of_its(&Row::error, &Accuracy::mean), percent),
                                  right("worst", of_its(&Row::error, &Accuracy::worst), percent),
                                  right("held out %", of_held_out(&Accuracy::mean), percent),
                                  right("worst", of_held_out(&Accuracy::worst), percent)};
  return fmt::format("laws of the {}, in minutes\n", answer.time_name) +
         table_text(columns, answer.laws) +
         (held_out ? fmt::format("held out: {} sizes above N = {}, by parameters fitted to the "
                                 "others; 90 %: as if what a law misses were chance\n",
                                 held_out->error.count, held_out->largest_seen)
                   : "");
}

/// Size of a knee, with its place between the sizes: `64 (71)`.
std::string size_text(const Knee& knee) {
  if (!knee.accelerators) return "none";
  const std::string size = fmt::format("{}", *knee.accelerators);
  if (knee.is_first) return "<= " + size;
  if (knee.is_last) return ">= " + size;
  return knee.between == *knee.accelerators ? size : fmt::format("{} ({:.0f})", size, knee.between);
}

/// Text of how a knee moves if each row is left out: its range, and the row that moves it most.
std::string moved_text(const ScaleAnswer& answer, const Knee& knee) {
  const auto index = static_cast<std::size_t>(&knee - answer.knees.data());
  double most = 0;
  const KneesWithoutRow* mover = nullptr;
  for (const KneesWithoutRow& without : answer.left_out) {
    const Knee& other = without.knees[index];
    if (knee.accelerators.has_value() != other.accelerators.has_value())
      return fmt::format("{} without {}", size_text(other), without.row);
    const double moves = knee.accelerators ? other.between / knee.between - 1 : 0;
    if (std::abs(moves) <= std::abs(most)) continue;
    most = moves;
    mover = &without;
  }
  if (mover == nullptr || std::abs(most) < 0.0005) return "stays";
  return fmt::format("{:+.1f} % at most, to {} without {}", 100 * most,
                     size_text(mover->knees[index]), mover->row);
}

std::string knees_text(const ScaleAnswer& answer) {
  TableColumns<Knee> columns{left("knee", &Knee::name), left("definition", &Knee::definition),
                             left("N (between)", size_text)};
  const bool has_rows = !answer.left_out.empty();
  if (has_rows)
    columns.push_back(left("moves with one row left out",
                           [&](const Knee& knee) { return moved_text(answer, knee); }));
  std::string text =
      table_text(columns, answer.knees) + "between: interpolated between the requested sizes\n";
  if (!has_rows) return text;
  double most = 0;
  for (const KneesWithoutRow& without : answer.left_out)
    most = std::max(most, std::abs(without.time_at_knee));
  return text + fmt::format(
                    "left out, each in turn: {} {}; the time on {} moves by at most "
                    "{:.1f} %\n",
                    answer.left_out.size(), answer.left_out_note,
                    *answer.knees.front().accelerators, 100 * most);
}

std::string limits_text(const ScaleLimits& limits) {
  std::vector<std::string> parts;
  if (limits.least_batch_size)
    parts.push_back(
        fmt::format("has one sample a replica at N = {}, its end", *limits.least_batch_size));
  parts.push_back(
      limits.critical_size
          ? fmt::format("all communication, hidden or not, takes as long as computation "
                        "from N_crit = {} to the last size tried, {}",
                        *limits.critical_size, limits.searched_to)
          : fmt::format("all communication, hidden or not, takes less time than "
                        "computation up to N = {} (no N_crit)",
                        limits.searched_to));
  if (limits.crossover)
    parts.push_back(fmt::format("crossover at N = {:.0f}, if it stayed as it is on {}",
                                *limits.crossover, limits.crossover_of));
  return note(limits.series, fmt::format("{}", fmt::join(parts, "; ")));
}

/// Text of the substitutions of all series, each sentence once.
std::string all_substitutions(const ScaleAnswer& answer) {
  std::vector<std::string> all;
  for (const auto* series : {&answer.main, &answer.strong, &answer.weak})
    if (*series)
      for (const ScaledPoint& point : (*series)->points) add_new(all, point.substitutions);
  return substitutions_text(all);
}

/// Table of the plans of a simulated job by size. For whole runs `jobs_text` has them.
std::string plans_text(const ScaleAnswer& answer) {
  if (!answer.main) return {};
  std::vector<std::pair<int, const Plan*>> plans;
  bool is_chosen = false;
  for (const ScaledPoint& point : answer.main->points) {
    if (point.run || !point.estimate || !point.estimate->simulated()) continue;
    plans.emplace_back(point.accelerators, &point.estimate->plan);
    is_chosen = is_chosen || point.plan_is_chosen;
  }
  if (plans.empty()) return {};
  return '\n' + plans_table(plans) +
         (is_chosen ? "what is not stated of a plan is chosen: the shortest step that fits\n" : "");
}

/// Table of each size's time and cost in a simulated job.
std::string jobs_text(const ScaleAnswer& answer) {
  std::vector<RunSize> sizes;
  if (answer.main)
    for (const ScaledPoint& point : answer.main->points)
      if (point.run)
        sizes.push_back({.accelerators = point.accelerators, .estimate = point.estimate.get()});
  return sizes.empty() ? "" : '\n' + run_sizes_table(sizes);
}

/// Chart of the times that knees and laws are fitted to, as expected for runs, with intervals if
/// the series has them.
std::string chart_text(const ScaleAnswer& answer) {
  if (answer.times.empty()) return {};
  const ScalingPoint reference = reference_point(answer.times);
  std::vector<SizeMark> marks;
  for (std::size_t i = 0; i < answer.times.size(); ++i) {
    const ScalingPoint& point = answer.times[i];
    SizeMark& mark =
        marks.emplace_back(SizeMark{.accelerators = point.accelerators,
                                    .time = point.minutes,
                                    .interval = {point.minutes, point.minutes},
                                    .efficiency = relative_efficiency(point, reference)});
    if (!answer.main) continue;  // otherwise its points are those of the times
    const ScaledPoint& scaled = answer.main->points[i];
    if (!scaled.seconds) continue;
    const double expected = scaled.run ? scaled.time().base() : scaled.step.total.base();
    mark.interval = {point.minutes * scaled.seconds->low / expected,
                     point.minutes * scaled.seconds->high / expected};
    if (scaled.run) expect_overrun(mark, *scaled.estimate);
  }
  const std::string chart = time_chart(std::move(marks));
  return chart.empty() ? chart : '\n' + chart;
}

/// Line on what else is known: of given or published times only what follows from them.
std::string next_text(const ScaleAnswer& answer) {
  if (!answer.main) return note("next", "--details for laws and knees");
  std::vector<std::string> next{"--details for laws, knees, weak scaling and plans"};
  if (!answer.is_of_money) next.emplace_back("tofn predict for money");
  return listed_note("next", next);
}

}  // namespace

AnswerText scale_text(const ScaleAnswer& answer) {
  AnswerText text;
  text.screen = advice_on(answer) + fmt::format("\n{}{}{}: {}", answer.name,
                                                answer.machine.empty() ? "" : " on ",
                                                answer.machine, answer.time_name);
  text.screen += answer.main ? fmt::format(", {}\n", answer.main->rule) : "\n";
  text.screen += answer.main ? main_table(*answer.main, answer.times, answer.is_of_money)
                             : times_table(answer.times);
  text.screen += chart_text(answer);
  for (const ScaleLimits& limits : answer.limits) text.screen += limits_text(limits);
  text.screen += all_substitutions(answer) + next_text(answer);
  if (answer.main) text.details = parts_table(*answer.main);
  text.details += plans_text(answer) + jobs_text(answer);
  if (answer.strong && answer.weak)
    text.details += '\n' + strong_weak_table(*answer.strong, *answer.weak);
  if (!answer.memory.empty()) text.details += note("memory", answer.memory);
  for (const std::string& each : answer.notes) text.details += note("basis", each);
  text.details += '\n' + laws_text(answer) + '\n' + knees_text(answer);
  return text;
}

}  // namespace report
}  // namespace tofn
