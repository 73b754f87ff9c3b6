#include "sim/report/model_steps_report.hpp"

#include <numeric>

#include <fmt/format.h>

#include "sim/core/rows.hpp"
#include "sim/kernel/stack_figures.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

double error_of(Seconds predicted, const LearnedRow& row) { return predicted / row.row.step - 1; }

/// Value in the figure's own unit; uncertainty_cell gives its relative standard deviation in %.
std::string figure_cell(const StackFigure& figure, const KernelProfile& profile) {
  const double value = figure.value(profile);
  return figure.is_time ? fmt::format("{:.3g} us", 1e6 * value) : fmt::format("{:.3f}", value);
}
std::string uncertainty_cell(std::size_t figure, const KernelProfile& profile) {
  return fmt::format("{:.0f}",
                     100 * (figure == stack_figures.size() ? profile.uncertainty.discrepancy.total()
                                                           : *deviation_of(profile, figure)));
}

std::string figures_text(const LearnedSteps& learned) {
  using Row = std::size_t;  // a figure, or after the last the factor of the model
  constexpr Row factor = stack_figures.size();
  const auto name = [=](Row i) {
    return i == factor ? "factor of the model" : stack_figures[i].key;
  };
  TableColumns<Row> columns{left("figure", name)};
  for (const auto& [of, head] :
       {std::pair{&learned.subject.stack, "before"}, {&learned.after, "after"}}) {
    columns.push_back(right(head, [of = of](Row i) {
      return i == factor ? fmt::format("{:.3f}", of->model_factor)
                         : figure_cell(stack_figures[i], *of);
    }));
    columns.push_back(right("+- %", [of = of](Row i) { return uncertainty_cell(i, *of); }));
  }
  std::vector<Row> rows(factor + 1);
  std::iota(rows.begin(), rows.end(), Row{});
  return table_text(columns, rows);
}

TableColumns<LearnedRow> learned_columns() {
  using Row = LearnedRow;
  const auto plan = [](const Row& r) { return plan_words(*r.row.plan); };
  return {{"source", [](const Row& r) { return r.row.source; }, left("source")},
          {"accelerators", [](const Row& r) { return r.row.plan->accelerators(); }, right("N")},
          {"global_batch", [](const Row& r) { return r.row.plan->global_batch(); },
           right("batch", "{:g}")},
          {"plan", plan},
          {"step_s", [](const Row& r) { return r.row.step.base(); },
           right("step ms", [](const Row& r) { return milliseconds(r.row.step); })},
          {"spread", [](const Row& r) { return r.row.spread; }, right("spread %", percent),
           "standard deviation of the measured steps over their mean"},
          {"steps", [](const Row& r) { return r.row.steps; }, right("steps")},
          {"before_s", [](const Row& r) { return r.before.base(); },
           right("before %", [](const Row& r) { return signed_percent(error_of(r.before, r)); }),
           "step as predicted before it was learnt from"},
          {"after_s", [](const Row& r) { return r.after.base(); },
           right("after %", [](const Row& r) { return signed_percent(error_of(r.after, r)); }),
           "step as predicted after it was learnt from"},
          TableColumn<Row>(left("plan", plan))};
}

}  // namespace

std::string model_steps_text(const LearnedSteps& learned) {
  const OwnSubject& subject = learned.subject;
  std::string text =
      fmt::format("{} on {} ({}) by stack {}\n", subject.model.name, subject.cluster.name,
                  subject.cluster.accelerator.name, subject.stack.name);
  text += table_text(learned_columns(), learned.rows) +
          "  before, after: how far off the stack's step is without these rows and with them\n\n";
  return text + figures_text(learned);
}

ExplainedRecords model_steps_records(const LearnedSteps& learned) {
  return records_of(learned_columns(), learned.rows);
}

}  // namespace report
}  // namespace tofn
