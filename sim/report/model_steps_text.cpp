#include <cmath>

#include <fmt/format.h>

#include "sim/core/rows.hpp"
#include "sim/kernel/stack_figures.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/model_steps_report.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {
namespace {

constexpr std::size_t source_width = 32;

double error_of(Seconds predicted, const LearntRow& row) { return predicted / row.row.step - 1; }

/// In a figure's own unit; relative standard deviation in %.
std::string figure_cell(const StackFigure& figure, const KernelProfile& profile) {
  const double value = figure.value(profile);
  return figure.key == "kernel_start" ? fmt::format("{:.3g} us", 1e6 * value)
                                      : fmt::format("{:.3f}", value);
}
std::string doubt_cell(std::size_t figure, const KernelProfile& profile) {
  const double variance = profile.doubt.covariance[figure * (stack_figures.size() + 1)];
  return fmt::format("{:.0f}", 100 * std::sqrt(std::max(0.0, variance)));
}

std::string figures_text(const LearntSteps& learnt) {
  TextTable table({{"figure", Align::Left}, {"before"}, {"+- %"}, {"after"}, {"+- %"}});
  const KernelProfile& before = learnt.subject.stack;
  for (std::size_t i = 0; i < stack_figures.size(); ++i)
    table.add({std::string(stack_figures[i].key), figure_cell(stack_figures[i], before),
               doubt_cell(i, before), figure_cell(stack_figures[i], learnt.after),
               doubt_cell(i, learnt.after)});
  table.add({"factor of the model", fmt::format("{:.3f}", before.model_factor),
             fmt::format("{:.0f}", 100 * before.doubt.discrepancy.total()),
             fmt::format("{:.3f}", learnt.after.model_factor),
             fmt::format("{:.0f}", 100 * learnt.after.doubt.discrepancy.total())});
  return table.render();
}

}  // namespace

std::string model_steps_text(const LearntSteps& learnt) {
  const OwnSubject& subject = learnt.subject;
  std::string text =
      fmt::format("{} on {} ({}) by stack {}\n", subject.model.name, subject.cluster.name,
                  subject.cluster.accelerator.name, subject.stack.name);
  TextTable table({{"source", Align::Left},
                   {"N"},
                   {"batch"},
                   {"step ms"},
                   {"spread %"},
                   {"steps"},
                   {"before %"},
                   {"after %"},
                   {"plan", Align::Left}});
  for (const LearntRow& each : learnt.rows)
    table.add({fitted(each.row.source, source_width),
               fmt::format("{}", each.row.plan.accelerators()),
               fmt::format("{:g}", each.row.plan.global_batch()), milliseconds(each.row.step),
               percent(each.row.spread), fmt::format("{}", each.row.steps),
               signed_percent(error_of(each.before, each)),
               signed_percent(error_of(each.after, each)), plan_words(each.row.plan)});
  text += table.render() +
          "  before, after: how far off the stack's step is without these rows and with them\n\n";
  return text + figures_text(learnt);
}

Records model_steps_records(const LearntSteps& learnt) {
  return records_of<LearntRow>(
      {{"source", [](const LearntRow& r) { return r.row.source; }},
       {"accelerators", [](const LearntRow& r) { return r.row.plan.accelerators(); }},
       {"global_batch", [](const LearntRow& r) { return r.row.plan.global_batch(); }},
       {"plan", [](const LearntRow& r) { return plan_words(r.row.plan); }},
       {"step_s", [](const LearntRow& r) { return r.row.step.base(); }},
       {"spread", [](const LearntRow& r) { return r.row.spread; }},
       {"steps", [](const LearntRow& r) { return r.row.steps; }},
       {"before_s", [](const LearntRow& r) { return r.before.base(); }},
       {"after_s", [](const LearntRow& r) { return r.after.base(); }}},
      learnt.rows);
}

}  // namespace report
}  // namespace tofn
