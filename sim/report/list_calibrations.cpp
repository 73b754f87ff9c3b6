#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "sim/report/list_report.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Figures of one workload, accelerator and release.
struct CalibrationRow {
  const WorkloadCalibration* workload = nullptr;
  const AcceleratorFit* fit = nullptr;  ///< nullptr: no step was observed
  const StepFit::Release* release = nullptr;
  std::string accelerator, release_name;
  std::optional<double> evaluation_factor, fixed;
};

std::optional<double> figure_of(const std::vector<ReleaseFigure>& figures,
                                const std::string& accelerator, const std::string& release) {
  const auto found = std::ranges::find_if(figures, [&](const auto& figure) {
    return figure.accelerator == accelerator && figure.release == release;
  });
  if (found == figures.end()) return {};
  return found->value;
}

CalibrationRow row_named(const WorkloadCalibration& workload, const std::string& accelerator,
                         const std::string& release) {
  return {.workload = &workload,
          .fit = nullptr,
          .release = nullptr,
          .accelerator = accelerator,
          .release_name = release,
          .evaluation_factor = figure_of(workload.evaluation_factors, accelerator, release),
          .fixed = figure_of(workload.fixed, accelerator, release)};
}

std::vector<CalibrationRow> rows_of(const WorkloadCalibration& workload) {
  std::vector<CalibrationRow> rows;
  for (const AcceleratorFit& fit : workload.accelerators)
    for (const auto& release : fit.steps.releases) {
      rows.push_back(row_named(workload, fit.accelerator.name, release.name));
      rows.back().fit = &fit;
      rows.back().release = &release;
    }
  for (const auto* figures : {&workload.evaluation_factors, &workload.fixed})
    for (const ReleaseFigure& figure : *figures) {
      const bool is_listed = std::ranges::any_of(rows, [&](const auto& row) {
        return row.accelerator == figure.accelerator && row.release_name == figure.release;
      });
      if (!is_listed) rows.push_back(row_named(workload, figure.accelerator, figure.release));
    }
  return rows;
}

/// Cell with the overhead in ms: `12.3`, or with a mark if it was not fitted on this accelerator.
std::string overhead_cell(const CalibrationRow& row) {
  if (row.fit == nullptr) return "-";
  const StepFit& steps = row.fit->steps;
  return fmt::format("{:.2f}{}", steps.overhead.base() * 1e3,
                     steps.learned == Learned::Overhead ? "" : "+");
}

std::string batches_cell(const CalibrationRow& row) {
  if (row.fit == nullptr) return "-";
  const StepFit& steps = row.fit->steps;
  return steps.smallest_batch == steps.largest_batch
             ? fmt::format("{:g}", steps.largest_batch)
             : fmt::format("{:g}-{:g}", steps.smallest_batch, steps.largest_batch);
}

std::string efficiency_cell(const CalibrationRow& row) {
  if (row.release == nullptr) return "-";
  return fmt::format("{:.1f} +-{:.1f}", row.release->efficiency * 100, row.release->spread * 100);
}

std::string_view fixed_unit(const CalibrationRow& row) {
  return row.workload->fixed_is_in_steps ? "steps" : "s";
}

std::string fixed_cell(const CalibrationRow& row) {
  return row.fixed ? fmt::format("{:.3g} {}", *row.fixed, fixed_unit(row)) : "-";
}

std::string release_cell(const CalibrationRow& row) {
  return row.release_name.empty() ? "?" : row.release_name;
}

template <class Figure>
auto of_release(Figure figure) {
  return of_its(&CalibrationRow::release, figure);
}

template <class Figure>
auto of_steps(Figure figure) {
  return of_its(&CalibrationRow::fit, &AcceleratorFit::steps, figure);
}

TableColumns<CalibrationRow> calibration_columns() {
  using Row = CalibrationRow;
  return {
      {"workload", [](const Row& r) { return r.workload->workload->name; }, left("workload")},
      {"accelerator", &Row::accelerator, left("accelerator")},
      {"release", &Row::release_name, right("release", release_cell),
       "YY.MM of the software that the runs used"},
      {"observations", of_release(&StepFit::Release::observations), right("runs"),
       "one-domain runs that the row is fitted to"},
      {"efficiency", of_release(&StepFit::Release::efficiency), right("eff. %", efficiency_cell),
       "share of the peak that the steps of a calibration teach"},
      {"efficiency_relative_spread", of_release(&StepFit::Release::spread),
       "standard deviation of the efficiency, relative to it"},
      {"precision", of_its(&Row::fit, &AcceleratorFit::precision), left("in")},
      {"overhead_ms", of_steps([](const StepFit& s) { return s.overhead.base() * 1e3; }),
       right("overhead", overhead_cell),
       "time of a pass that does not shrink with the batch, in milliseconds"},
      {"overhead_relative_spread", of_steps(&StepFit::overhead_spread),
       "standard deviation of the overhead, relative to it"},
      {"overhead_was_learnt",
       of_steps([](const StepFit& s) { return s.learned == Learned::Overhead; }),
       "1 where steps tell the overhead apart"},
      {"smallest_micro_batch", of_steps(&StepFit::smallest_batch), right("b", batches_cell),
       "smallest micro-batch of the observed runs"},
      {"largest_micro_batch", of_steps(&StepFit::largest_batch),
       "largest micro-batch of the observed runs"},
      {"worst_relative_residual", of_steps(&StepFit::worst_residual),
       "greatest difference of a fitted step from a measured one, over the measured one"},
      {"evaluation_factor", &Row::evaluation_factor, right("eval.", "{:.3g}"),
       "time of evaluations over that of their forward passes"},
      {"fixed", &Row::fixed, right("fixed", fixed_cell),
       "time that is neither step nor evaluation"},
      {"fixed_unit", fixed_unit, "unit of the fixed time: seconds, or steps"}};
}

std::string workload_note(const WorkloadCalibration& calibration) {
  const EvaluationCost& evaluation = calibration.evaluation;
  const std::string host = evaluation.host > Seconds{}
                               ? fmt::format(", at least {:.3g} ms", evaluation.host.base() * 1e3)
                               : "";
  return fmt::format(
      "{}: an evaluation pass takes {:.3g} x forward{}; memory bounds {:.0f} % of the "
      "arithmetic{}\n",
      calibration.workload->name, evaluation.per_forward, host, calibration.memory_share * 100,
      calibration.memory_share_was_measured ? "" : "*");
}

/// Note on the overlap loss, which is fitted if tensor-parallel runs with and without overlap
/// exist.
std::string overlap_note(const WorkloadCalibration& calibration) {
  for (const AcceleratorFit& fit : calibration.accelerators)
    if (fit.steps.learned == Learned::OverlapLoss)
      return fmt::format("{}: {:.0f} % of the overlapped tensor-parallel traffic costs time\n",
                         calibration.workload->name, fit.steps.overlap_loss * 100);
  return {};
}

std::string shared_notes(const Calibration& calibration) {
  std::string text;
  if (const auto& overhead = calibration.operator_overhead())
    text += fmt::format("captured iterations: {:.1f} us of overhead per operator, +- {:.0f} %\n",
                        overhead->each.base() * 1e6, overhead->spread * 100);
  if (calibration.server_spread().groups > 0)
    text += fmt::format("equal servers differ by {:.1f} % (standard deviation)\n",
                        calibration.server_spread().relative * 100);
  return text;
}

constexpr const char* list_calibrations_legend =
    "eff. %: of the dense peak, +- relative spread in %; overhead in ms per pass, +: not fitted\n"
    "to this accelerator; b: samples per replica and pass; eval.: observed over modelled; "
    "fixed:\n"
    "per run\n";

}  // namespace

Listing list_calibrations(const Calibration& calibration) {
  std::vector<CalibrationRow> all;
  std::string notes;
  for (const WorkloadCalibration& workload : calibration.workloads()) {
    for (const CalibrationRow& row : rows_of(workload)) all.push_back(row);
    if (!workload.evaluation_factors.empty()) notes += workload_note(workload);
    notes += overlap_note(workload);
  }
  notes += shared_notes(calibration);
  return listing_of(calibration_columns(), all,
                    list_calibrations_legend + notes + assumed_footnote(notes));
}

}  // namespace report
}  // namespace tofn
