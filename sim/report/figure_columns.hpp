#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>

#include <fmt/format.h>

#include "sim/core/records.hpp"
#include "sim/scaling/efficiency.hpp"
#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace report {

/// A figure as text for people: `2T`, `41.2 %`.
std::string figure_text(const RunFigure&, double value);

/// True if an overrun of published runs changes the figure.
inline bool overruns(const RunFigure& figure) {
  return figure.rests_on == RestsOn::Run || figure.rests_on == RestsOn::Price ||
         figure.rests_on == RestsOn::Power;
}
/// 90 % interval of a figure: `31.2 to 180`, or `30.1 to no end` if interruptions may outrun the
/// work.
std::string range_text(const RunFigure&, const RunEstimate&);

/// A number of accelerators of a table, with its estimate.
struct RunSize {
  int accelerators = 0;
  const RunEstimate* estimate = nullptr;
  bool fits = true;
  bool fits_barely = false;  ///< its margin is below the error of predicted memory
  std::optional<double> days_to_default_loss{};
  std::optional<ScalingPoint> scaled{};  ///< time that speedup compares with that of `reference`
  ScalingPoint reference{};
};
/// Table of every figure that is known and not 0: its value, 90 % interval and basis.
std::string figures_table(const RunEstimate&);
bool have_one_batch(std::span<const RunSize>);
/// Table with a line for each size: time, step, speedup, MFU, cost, energy and memory.
std::string run_sizes_table(std::span<const RunSize>);
/// Table of what else differs by size: exposed communication, energy of a sample, evaluations.
std::string run_shares_table(std::span<const RunSize>);
/// Table of the plan of each size.
std::string run_plans_table(std::span<const RunSize>);

/// Adds each figure of a job that has no column yet, with both ends of its 90 % interval and its
/// basis. `estimate_of`: row -> const RunEstimate*, nullptr if there is none.
template <template <class> class ColumnOf, class Row, class EstimateOf>
void add_run_figures(std::vector<ColumnOf<Row>>& columns, EstimateOf estimate_of) {
  for (const RunFigure& figure : run_figures) {
    const auto add = [&](const char* end, auto of, const std::string& meaning) {
      const std::string name = std::string(figure.name) + end;
      const auto has_name = [&](const ColumnOf<Row>& each) { return each.name == name; };
      if (std::ranges::any_of(columns, has_name)) return;
      columns.emplace_back(
          name,
          [=](const Row& row) {
            const RunEstimate* job = estimate_of(row);
            return job != nullptr && job->value(figure) ? to_value(of(*job)) : Value{};
          },
          meaning);
    };
    add(
        "", [figure](const RunEstimate& job) { return job.value(figure); },
        std::string(figure.definition));
    if (overruns(figure))
      add(
          "_as_runs_went", [figure](const RunEstimate& job) { return job.typical(figure); },
          "median of the figure with the overrun of published runs");
    add(
        "_low90",
        [figure](const RunEstimate& job) {
          return has_interval(figure) ? std::optional(job.interval(figure).low) : std::nullopt;
        },
        "lower end of the figure's 90 % interval; empty: the interval is not known");
    add(
        "_high90",
        [figure](const RunEstimate& job) {
          return has_interval(figure) ? upper_end(job.interval(figure)) : std::nullopt;
        },
        "upper end of the figure's 90 % interval; empty: it has none, interruptions may outrun the "
        "work, or the interval is not known");
    add(
        "_basis", [figure](const RunEstimate& job) { return job.basis_of(figure); },
        "basis of the figure: measured, interpolated, extrapolated, formula, assumed or given");
  }
}

/// Adds the parts of a step, which sum to it, with the basis of each and its 90 % interval if one
/// is sampled, and the communication, exposed and in all.
template <class Row, class EstimateOf>
void add_step_parts(Columns<Row>& columns, EstimateOf estimate_of) {
  const auto add = [&](const std::string& name, auto figure, const std::string& meaning) {
    columns.emplace_back(
        name,
        [=](const Row& row) {
          const RunEstimate* run = estimate_of(row);
          return run != nullptr ? to_value(figure(*run)) : Value{};
        },
        meaning);
  };
  const auto basis_of = [](auto cost) {
    return [=](const RunEstimate& run) {
      const Cost all = cost(run);
      return all.time != Seconds{} ? std::optional(all.basis) : std::nullopt;
    };
  };
  const auto of_step = [&](const std::string& name, std::string_view title, auto cost,
                           auto interval) {
    const auto end = [=](double Interval::*of) {
      return [=](const RunEstimate& run) {
        const std::optional<Interval> drawn = interval(run);
        return drawn ? std::optional((*drawn).*of) : std::nullopt;
      };
    };
    add(
        name, [=](const RunEstimate& run) { return cost(run).time.base(); },
        fmt::format("part of the step: {}", title));
    add(name + "_low90", end(&Interval::low),
        "lower end of the part's 90 % interval; of a model only that of the whole step is sampled");
    add(name + "_high90", end(&Interval::high),
        "upper end of the part's 90 % interval; of a model only that of the whole step is sampled");
    add(name + "_basis", basis_of(cost), "basis of the part of the step");
  };
  for (std::size_t i = 0; i < step_parts.size(); ++i)
    of_step(
        fmt::format("{}_s", step_parts[i].first), step_part_titles[i],
        [part = step_parts[i].second](const RunEstimate& run) { return run.step.cost(part); },
        [i](const RunEstimate& run) {
          return run.step_part_seconds.empty() ? std::nullopt
                                               : std::optional(run.step_part_seconds[i]);
        });
  const auto exposed = [](const RunEstimate& run) { return run.step.exposed(); };
  add(
      "communication_exposed_s", [=](const RunEstimate& run) { return exposed(run).time.base(); },
      "time of a step's communication that nothing hides");
  add("communication_exposed_s_basis", basis_of(exposed), "basis of the exposed communication");
  add(
      "communication_s", [](const RunEstimate& run) { return run.step.communication.base(); },
      "time of a step's communication, hidden or not");
}

}  // namespace report
}  // namespace tofn
