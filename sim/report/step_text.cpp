#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/quantity_text.hpp"
#include "sim/expense/energy.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/size_chart.hpp"
#include "sim/report/step_report.hpp"
#include "sim/report/text_table.hpp"
#include "sim/simulation/step_energy.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace report {
namespace {

/// 12.3 ms or 13.75 s.
std::string duration_text(Seconds time) {
  const double seconds = time.base();
  return seconds < 1 ? fmt::format("{:.4g} ms", seconds * 1e3) : fmt::format("{:.4g} s", seconds);
}

/// What compute loses to traffic that it hides: part of what is called exposed.
std::string slowed_compute_text(const SimulatedStep& step) {
  constexpr double least_share = 0.005;
  StepWork free = step.work;
  free.slowdown = {};
  const Seconds lost =
      step.times.total - (step.seed ? simulate(free, *step.seed) : simulate(free)).total;
  if (lost < least_share * step.times.total) return {};
  return fmt::format("; {} of the step is compute that goes slower beside it", duration_text(lost));
}

std::string parts_text(const SimulatedStep& step) {
  TextTable table({{"one step", Align::Left}, {"ms"}, {"%"}});
  const auto add = [&](std::string name, Seconds time) {
    table.add({std::move(name), milliseconds(time), percent(time / step.times.total)});
  };
  for (const auto& [name, part] : step_parts) {
    const Seconds time = step.times.parts[static_cast<std::size_t>(part)];
    const bool is_exchange = part >= StepPart::Tensor && part <= StepPart::Data;
    if (time != Seconds{})
      add(is_exchange ? fmt::format("{}, exposed", name) : std::string(name), time);
  }
  add("step", step.times.total);
  return table.render() + fmt::format("  communication {} in all on that stage, exposed or not{}\n",
                                      duration_text(step.times.communication),
                                      slowed_compute_text(step));
}

std::string slow_node_text(const SlowNode& slow) {
  if (!slow.is_slower()) return {};
  return note("slow node",
              fmt::format("in stage {}: kernels take {:g} x as long, a byte on a link {:g} x",
                          slow.stage + 1, slow.kernels, slow.link));
}

/// `compute of stage 8 61 %, tensor of stage 8 11 %, ...`: where the step's end comes from.
std::string critical_path_text(const SimulatedStep& step) {
  constexpr std::size_t most = 4;
  const std::vector<PartTimes> stages = critical_path_times(step.work);
  Seconds length;
  for (const PartTimes& times : stages)
    for (const Seconds time : times) length += time;
  std::vector<std::pair<Seconds, std::string>> parts;
  for (std::size_t stage = 0; stage < stages.size(); ++stage)
    for (const auto& [name, which] : step_parts)
      if (const Seconds time = part(stages[stage], which); time > Seconds{})
        parts.emplace_back(
            time, fmt::format("{} of stage {} {:.0f} %", name, stage + 1, 100 * (time / length)));
  std::stable_sort(parts.begin(), parts.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(most, parts.size()); ++i) words.push_back(parts[i].second);
  return fmt::format("critical path {}\n", fmt::join(words, ", "));
}

std::string bottleneck_text(const SimulatedStep& step) {
  const Bottleneck found = bottleneck_of(step.times);
  return fmt::format(
      "bottleneck    {}: busy {:.0f} %, exposed communication {:.0f} %, waiting {:.0f} %, launches "
      "{:.0f} %\n              {:.0f} % of compute is in kernels that memory bandwidth bounds\n",
      found.name, 100 * found.busy, 100 * found.communication, 100 * found.waiting,
      100 * found.launch, 100 * step.memory_bound);
}

std::string energy_text(const SimulatedStep& step) {
  const MachinePower power = power_of(step);
  std::vector<std::string> assumed = power.assumed;
  assumed.insert(assumed.begin(), "what waiting and launches draw");
  const std::string accelerators =
      step.kinds.empty() ? fmt::format("at {:.0f} of {:.0f} W",
                                       mean_power(power, utilisation(step.activity)).base(),
                                       power.accelerator_busy.base())
                         : "of both kinds";
  return note("energy",
              fmt::format("{} a sample: accelerators {}, hosts, switches, x {:g} for the facility",
                          to_text(energy_per_sample(step)), accelerators, power.facility_factor)) +
         listed_note("assumed", assumed, ",");
}

std::string memory_text(const SimulatedStep& step) {
  const std::size_t tightest = step.tightest();
  const Footprint& held = step.memory[tightest];
  const Accelerator& chip = step.holder(tightest);
  const auto stages = static_cast<std::size_t>(step.plan.pipeline_parallel_size);
  const std::string on = step.kinds.empty() ? "" : fmt::format(", on {}", chip.name);
  TextTable table(
      {{fmt::format("memory of stage {} of {}{}", tightest % stages + 1, stages, on), Align::Left},
       {"GB"}});
  for (const FootprintPart& part : footprint_parts)
    if (held.*part.bytes > Bytes{})
      table.add({std::string(part.name), fmt::format("{:.2f}", gigabytes(held.*part.bytes))});
  table.add({"total", fmt::format("{:.2f}", gigabytes(held.total()))});
  const double left = gigabytes(free_memory(held, chip));
  const double memory = gigabytes(chip.memory.value);
  std::string text =
      table.render() +
      fmt::format("  {} {:.0f} GB by {:.1f} GB{}\n", left >= 0 ? "fits" : "exceeds", memory,
                  std::abs(left),
                  is_close(held, chip) ? ": close, the estimate may be 5 % off" : "");
  if (held.host > Bytes{})
    text += fmt::format("  and {:.1f} GB of the host's\n", gigabytes(held.host));
  return text;
}

}  // namespace

std::string does_not_fit_words(const SimulatedStep& step, std::string_view way_out) {
  if (fits(step)) return {};
  const std::size_t tightest = step.tightest();
  const Footprint& held = step.memory[tightest];
  const Accelerator& chip = step.holder(tightest);
  const std::string_view verdict = is_close(held, chip) ? "CLOSE, it may not fit" : "DOES NOT FIT";
  return fmt::format("{}, {:.0f} GB of {:.0f}{}; had it room, ", verdict, gigabytes(held.total()),
                     gigabytes(chip.memory.value), way_out);
}

std::string step_text(const SimulatedStep& step) {
  std::string text = fmt::format(
      "{} on {}: {}{} a step, 90 % interval {}-{}\n", step.model.name, hardware_words(step),
      does_not_fit_words(step), duration_text(step.times.total),
      duration_text(Seconds{step.seconds.low}), duration_text(Seconds{step.seconds.high}));
  text += fmt::format(
      "{:.4g} samples/s, {:.1f} TFLOP/s an accelerator: {:.1f} % of its {} peak (MFU)\n",
      step.samples_per_second(), step.achieved().base() / 1e12,
      100 * step.model_flops_utilisation(), fmt::join(step.precisions(), " and "));
  if (const auto words = above_peak_words(step.model_flops_utilisation()); !words.empty())
    text += note("WARNING", words);
  text += note("plan", fmt::format("{}", plan_words(step.plan)));
  text += placement_text(step.plan, step.cluster);
  text += slow_node_text(step.heterogeneous.slow) + substitutions_text(step.substitutions) + '\n';
  const std::string kinds = kinds_text(step);
  if (!kinds.empty()) text += kinds + '\n';
  return text + parts_text(step) + '\n' + bottleneck_text(step) + critical_path_text(step) +
         energy_text(step) + '\n' + memory_text(step);
}

namespace {

/// From the first of the steps that fit to the last; of all, where none does.
std::string growth_words(const std::vector<SimulatedStep>& steps) {
  std::vector<const SimulatedStep*> compared;
  for (const SimulatedStep& step : steps)
    if (fits(step)) compared.push_back(&step);
  const bool none_fits = compared.empty();
  if (none_fits) compared = {&steps.front(), &steps.back()};
  const SimulatedStep& first = *compared.front();
  const SimulatedStep& last = *compared.back();
  std::string text(none_fits ? no_size_fits : "");
  text += fmt::format("a step takes {} on {}", duration_text(first.times.total),
                      first.plan.accelerators());
  if (compared.size() == 1) return text + " accelerators";
  const double faster = last.samples_per_second() / first.samples_per_second();
  return text + fmt::format(
                    ", {} on {} accelerators: {:.3g} x the samples a second at {:.0f} % "
                    "efficiency",
                    duration_text(last.times.total), last.plan.accelerators(), faster,
                    100 * faster * first.plan.accelerators() / last.plan.accelerators());
}

}  // namespace

std::string step_table_text(const std::vector<SimulatedStep>& steps) {
  TextTable table({{"N"},
                   {"batch"},
                   {"step ms"},
                   {"90 %"},
                   {"samples/s"},
                   {"MFU %"},
                   {"comm %"},
                   {"waiting %"},
                   {"GB"},
                   {"J/sample"},
                   {"bottleneck", Align::Left}});
  std::vector<std::string> all;
  std::vector<std::pair<int, const Plan*>> plans;
  for (const SimulatedStep& step : steps) {
    add_new(all, step.substitutions);
    plans.emplace_back(step.plan.accelerators(), &step.plan);
    const Bottleneck found = bottleneck_of(step.times);
    const Footprint& held = step.memory[step.tightest()];
    table.add(
        {fmt::format("{}", step.plan.accelerators()), fmt::format("{:g}", step.plan.global_batch()),
         fmt::format("{:.1f}", step.times.total.base() * 1e3),
         fmt::format("{:.1f}-{:.1f}", step.seconds.low * 1e3, step.seconds.high * 1e3),
         fmt::format("{:.4g}", step.samples_per_second()), percent(step.model_flops_utilisation()),
         percent(found.communication), percent(found.waiting),
         fmt::format("{:.1f}{}", gigabytes(held.total()),
                     fits(held, step.holder(step.tightest())) ? "" : "!"),
         fmt::format("{:.4g}", energy_per_sample(step).base()), found.name});
  }
  const SimulatedStep& first = steps.front();
  std::string title = fmt::format("{} on {}", first.model.name, first.cluster.name);
  std::string there =
      fmt::format("{:.0f} GB there are", gigabytes(first.cluster.accelerator.memory.value));
  if (const auto& mixed = first.heterogeneous.mixed) {
    title += fmt::format(", of its nodes {} {}", mixed->nodes, mixed->cluster.name);
    there = "memory of its accelerator";
  }
  return title + ": " + growth_words(steps) + '\n' + table.render() +
         fmt::format("comm: exposed; GB: of the fullest stage, ! above the {}\n\n", there) +
         plans_table(plans) + substitutions_text(all);
}

std::string step_difference_text(const SimulatedStep& from, const SimulatedStep& to,
                                 const std::vector<Change>& changes) {
  TextTable table({{"part", Align::Left}, {"ms"}, {"other ms"}, {"difference"}, {"% of step"}});
  const auto add = [&](std::string name, Seconds a, Seconds b) {
    table.add({std::move(name), milliseconds(a), milliseconds(b),
               fmt::format("{:+.3f}", (b - a).base() * 1e3),
               signed_percent((b - a) / from.times.total)});
  };
  for (const auto& [name, part] : step_parts) {
    const auto index = static_cast<std::size_t>(part);
    if (from.times.parts[index] != Seconds{} || to.times.parts[index] != Seconds{})
      add(std::string(name), from.times.parts[index], to.times.parts[index]);
  }
  add("step", from.times.total, to.times.total);
  std::string text =
      fmt::format("against {} on {}: {}{} a step\nplan          {}\n{}{}", to.model.name,
                  hardware_words(to), does_not_fit_words(to, ""), duration_text(to.times.total),
                  plan_words(to.plan), substitutions_text(to.substitutions), table.render());
  Seconds before = from.times.total;
  for (const Change& change : changes) {
    text += fmt::format("  {:<24} {:+.3f} ms\n", change.what, (change.after - before).base() * 1e3);
    before = change.after;
  }
  return text;
}

std::string measured_model_text(const std::vector<const Workload*>& workloads) {
  std::string text;
  for (const Workload* workload : workloads)
    text += note("measured",
                 fmt::format("runs of workload {0} have this model: `tofn step {0}` rests on them",
                             workload->name));
  return text;
}

std::string way_out_text(const std::optional<FittingPlan>& found, std::string_view to_try) {
  if (!found)
    return fmt::format("no plan on as many accelerators was found that fits: try {}\n", to_try);
  return fmt::format("nearest plan that fits: {} ({:.1f} GB)\n", plan_words(found->plan),
                     gigabytes(found->largest.total()));
}

std::string way_out_text(const SimulatedStep& step) {
  if (fits(step)) return {};
  return way_out_text(nearest_plan_that_fits(step),
                      "more of them (-N), or tofn predict --search all, which chooses the plan");
}

}  // namespace report
}  // namespace tofn
