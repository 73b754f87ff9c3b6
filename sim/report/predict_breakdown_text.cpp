#include <fmt/format.h>

#include "sim/report/figure_text.hpp"
#include "sim/report/predict_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

std::string basis_of(const Cost& cost) {
  return cost.time == Seconds{} ? "" : std::string(to_text(cost.basis));
}

std::string run_table(const RunPrediction& prediction, Basis samples_basis) {
  const RunBreakdown& run = prediction.expected;
  const Cost total = run.total();
  TextTable table({{"the run", Align::Left},
                   {"min"},
                   {"%"},
                   {"90 % interval"},
                   {"basis", Align::Left},
                   {"", Align::Left}});
  const auto add = [&](const char* name, const Cost& cost, const std::string& interval,
                       const std::string& what) {
    table.add({name, minutes(cost.time), percent(cost.time / total.time), interval, basis_of(cost),
               what});
  };
  add("training", run.training, "",
      fmt::format("{:.1f} steps x {} ms", run.steps, milliseconds(run.step.total)));
  add("evaluation", run.evaluation, minutes(prediction.evaluation_seconds),
      fmt::format("{:.1f} x {:.3f} s", run.evaluations, run.evaluation_each.time.base()));
  add("fixed", run.fixed, minutes(prediction.fixed_seconds), "outside steps and evaluations");
  add("score scaling", run.score_scaling, "", "the benchmark's rule for lucky convergence");
  add("total", total, minutes(prediction.total_seconds), "");
  return table.render() +
         fmt::format("  samples {}, 90 % interval {}-{}, {}\n", samples_text(run.samples),
                     samples_text(prediction.samples.low), samples_text(prediction.samples.high),
                     to_text(samples_basis));
}

}  // namespace

std::string step_table_text(const RunPrediction& prediction) {
  const StepTimes& step = prediction.expected.step;
  const Cost total = step.cost();
  TextTable table(
      {{"one step", Align::Left}, {"ms"}, {"%"}, {"90 % interval"}, {"basis", Align::Left}});
  const auto add = [&](std::string_view title, const Cost& cost, const Interval& interval) {
    table.add({std::string(title), milliseconds(cost.time), percent(cost.time / total.time),
               cost.time == Seconds{} ? "" : milliseconds(interval), basis_of(cost)});
  };
  for (std::size_t p = 0; p < step_parts.size(); ++p)
    if (step.parts[p] != Seconds{})
      add(step_part_titles[p], step.cost(step_parts[p].second), prediction.step_part_seconds[p]);
  add("step", total, prediction.step_seconds);
  return table.render() + fmt::format("  communication {} ms in all, {} ms of it exposed\n",
                                      milliseconds(step.communication),
                                      milliseconds(step.exposed().time));
}

std::string batch_text(const Plan& plan) {
  return fmt::format("global batch {:g} = {} replicas x {} accumulation step{} x {:g} samples\n",
                     plan.global_batch(), plan.data_parallel_size, plan.gradient_accumulation,
                     plan.gradient_accumulation > 1 ? "s" : "", plan.micro_batch);
}

std::string headline_mark(const PredictionStudy& study, const PredictedPoint& point) {
  return fits(study, point) ? "" : "DOES NOT FIT (memory, below); had it room, ";
}

std::string predict_breakdown_text(const PredictionStudy& study, const PredictedPoint& point) {
  const RunPrediction& prediction = *point.prediction;
  const double total = prediction.expected.total().time.base();
  return fmt::format("{} on {} x {} ({}): {}{} to train, 90 % interval {}\n", study.workload->name,
                     point.accelerators, study.cluster->accelerator.name, study.cluster->name,
                     headline_mark(study, point), time_text(total),
                     time_range_text(prediction.total_seconds, total)) +
         batch_text(point.run->plan) + '\n' + step_table_text(prediction) + '\n' +
         run_table(prediction, point.parameters->samples.basis) + '\n' + expense_text(point) +
         '\n' + predict_notes(study);
}

}  // namespace report
}  // namespace tofn
