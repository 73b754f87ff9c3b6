#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/run_screen.hpp"
#include "sim/report/size_chart.hpp"
#include "sim/report/step_report.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Time with its sign: `-12.3 ms`.
std::string signed_time_words(Seconds time) {
  return (time < Seconds{} ? "-" : "+") + time_words(time < Seconds{} ? Seconds{} - time : time);
}

/// Words on the change from the first to the last step that fits, or of all steps if none fits.
std::string growth_words(const std::vector<SimulatedStep>& steps) {
  std::vector<const SimulatedStep*> compared;
  for (const SimulatedStep& step : steps)
    if (fits(step)) compared.push_back(&step);
  const bool none_fits = compared.empty();
  if (none_fits) compared = {&steps.front(), &steps.back()};
  const SimulatedStep& first = *compared.front();
  const SimulatedStep& last = *compared.back();
  std::string text(none_fits ? no_size_fits : "");
  text += fmt::format("a step takes {} on {}", time_words(first.times.total),
                      first.plan.accelerators());
  if (compared.size() == 1) return text + " accelerators";
  const double faster = last.samples_per_second() / first.samples_per_second();
  return text + fmt::format(
                    ", {} on {} accelerators: {:.3g} x the samples a second at {:.0f} % "
                    "efficiency",
                    time_words(last.times.total), last.plan.accelerators(), faster,
                    100 * faster * first.plan.accelerators() / last.plan.accelerators());
}

/// Table of the figures that are not on the screen.
std::string step_details_table(const std::vector<SimulatedStep>& steps) {
  using Step = SimulatedStep;
  const auto memory = [](const Step& s) { return gigabytes(s.memory[s.tightest()].total()); };
  const TableColumns<Step> columns{
      right("N", [](const Step& s) { return s.plan.accelerators(); }),
      right(
          "step ms", [](const Step& s) { return s.times.total.base() * 1e3; }, "{:.1f}"),
      right(
          "batch", [](const Step& s) { return s.plan.global_batch(); }, "{:g}"),
      right("samples/s", &Step::samples_per_second, "{:.4g}"),
      right(
          "waiting %", [](const Step& s) { return bottleneck_of(s.times).waiting; }, percent),
      right("GB", memory, "{:.1f}"),
      right(
          "J/sample", [](const Step& s) { return energy_per_sample(s).base(); }, "{:.4g}")};
  return table_text(columns, steps);
}

}  // namespace

AnswerText step_table_text(const std::vector<SimulatedStep>& steps) {
  const SimulatedStep& first = steps.front();
  const double length = first.model.sequence_length;
  std::vector<std::string> all;
  std::vector<std::pair<int, const Plan*>> plans;
  const auto rate_each = [](const SimulatedStep& step) {
    return step.samples_per_second() / step.plan.accelerators();
  };
  const auto fitting = std::ranges::find_if(steps, [](const auto& s) { return fits(s); });
  const SimulatedStep& reference = fitting == steps.end() ? first : *fitting;
  bool all_fit = true;
  for (const SimulatedStep& step : steps) {
    add_new(all, step.substitutions);
    plans.emplace_back(step.plan.accelerators(), &step.plan);
    all_fit = all_fit && fits(step);
  }
  using Step = SimulatedStep;
  const auto time = [](const Step& s) { return time_words(s.times.total); };
  const auto interval = [](const Step& s) { return time_range_words(s.seconds, s.times.total); };
  const auto rate = [=](const Step& s) {
    return (length > 0 ? length : 1) * s.samples_per_second();
  };
  const auto memory_cell = [](const Step& s) {
    return short_figure(gigabytes(s.memory[s.tightest()].total())) + (fits(s) ? "" : "!");
  };
  const bool has_one_batch = std::ranges::all_of(
      steps, [&](const Step& s) { return s.plan.global_batch() == first.plan.global_batch(); });
  TableColumns<Step> columns{
      right("N", [](const Step& s) { return s.plan.accelerators(); }),
      right("step", time),
      right("90 %", interval),
      right(length > 0 ? "tokens/s" : "samples/s", rate, short_figure),
      right(
          "eff. %", [&](const Step& s) { return rate_each(s) / rate_each(reference); },
          whole_percent),
      right("MFU %", &Step::model_flops_utilisation, whole_percent),
      right(
          "comm %", [](const Step& s) { return bottleneck_of(s.times).communication; }, percent),
      right("GB", memory_cell),
      left("limited by", [](const Step& s) { return bottleneck_of(s.times).name; })};
  if (!has_one_batch)
    columns.insert(columns.begin() + 1,
                   right(
                       "batch", [](const Step& s) { return s.plan.global_batch(); }, "{:g}"));
  std::string title = fmt::format("{} on {}", first.model.name, first.cluster.name);
  std::string memory = fmt::format("the {:.0f} GB that an accelerator has",
                                   gigabytes(first.cluster.accelerator.memory.value));
  if (const auto& mixed = first.heterogeneous.mixed) {
    title += fmt::format(", of its nodes {} {}", mixed->nodes, mixed->cluster.name);
    memory = "what its accelerator has";
  }
  AnswerText text;
  text.screen = title + ": " + growth_words(steps) + "\n\n" + table_text(columns, steps) +
                fmt::format("comm: exposed; GB: on the most loaded stage{}\n\n",
                            all_fit ? ", all fit" : fmt::format(", ! more than {}", memory)) +
                (has_one_batch ? step_batch_text(first) : "") + substitutions_text(all);
  text.screen += way_out_text(steps.back());
  text.details = plans_table(plans) + '\n' + step_details_table(steps);
  return text;
}

std::string step_difference_text(const SimulatedStep& from, const SimulatedStep& to,
                                 const std::vector<Change>& changes) {
  struct Row {
    std::string_view name;
    Seconds own, other;
  };
  std::vector<Row> rows;
  for (const auto& [name, part] : step_parts) {
    const auto index = static_cast<std::size_t>(part);
    const Row row{name, from.times.parts[index], to.times.parts[index]};
    if (row.own != Seconds{} || row.other != Seconds{}) rows.push_back(row);
  }
  rows.push_back({"step", from.times.total, to.times.total});
  const auto in_ms = [](Seconds time) { return time.base() * 1e3; };
  const auto slower_by = [](const Row& r) { return r.other - r.own; };
  const TableColumns<Row> columns{
      left("part", &Row::name), right("ms", of_its(&Row::own, in_ms), "{:.1f}"),
      right("other ms", of_its(&Row::other, in_ms), "{:.1f}"),
      right("difference", of_its(slower_by, in_ms), "{:+.1f}"),
      right("% of step",
            [&](const Row& r) { return signed_percent(slower_by(r) / from.times.total); })};
  const auto step_words = [](const SimulatedStep& step) {
    return fmt::format("{} on {}: {}{} a step", step.model.name, hardware_words(step),
                       does_not_fit_words(step, ""), time_words(step.times.total));
  };
  std::vector<std::string> causes;
  Seconds before = from.times.total;
  for (const Change& change : changes) {
    causes.push_back(fmt::format("{} {}", change.what, signed_time_words(change.after - before)));
    before = change.after;
  }
  const double ratio = to.times.total / from.times.total - 1;
  std::string text = fmt::format("{}, {:.0f} % {} than the {} of this job\n\n", step_words(to),
                                 100 * std::abs(ratio), ratio < 0 ? "less" : "more",
                                 time_words(from.times.total)) +
                     table_text(columns, rows) + '\n';
  if (!causes.empty()) text += listed_note("because of", causes);
  text += note("this job", hardware_words(from)) + note("plan", plan_words(from.plan));
  if (plan_words(to.plan) != plan_words(from.plan)) text += note("other plan", plan_words(to.plan));
  std::vector<std::string> all = from.substitutions;
  add_new(all, to.substitutions);
  return text + substitutions_text(all);
}

}  // namespace report
}  // namespace tofn
