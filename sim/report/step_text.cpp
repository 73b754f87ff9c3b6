#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/core/count_text.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/expense/energy.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/parallelism/plan_fields.hpp"
#include "sim/parallelism/substitutions.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/run_screen.hpp"
#include "sim/report/step_report.hpp"
#include "sim/report/table_columns.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/simulation/step_energy.hpp"
#include "sim/timeline/timeline.hpp"

namespace tofn {
inline namespace report {
namespace {

/// Words on the time that compute loses to overlapped traffic, a part of exposed communication.
std::string slowed_compute_text(const SimulatedStep& step) {
  constexpr double least_share = 0.005;
  StepWork free = step.work;
  free.slowdown = {};
  const Seconds lost =
      step.times.total - (step.seed ? simulate(free, *step.seed) : simulate(free)).total;
  if (lost < least_share * step.times.total) return {};
  return fmt::format("; {} of the step is compute that goes slower beside it", time_words(lost));
}

std::string parts_text(const SimulatedStep& step) {
  struct Row {
    std::string name;
    Seconds time;
  };
  std::vector<Row> rows;
  for (const auto& [name, part] : step_parts) {
    const Seconds time = step.times.parts[static_cast<std::size_t>(part)];
    const bool is_exchange = part >= StepPart::Tensor && part <= StepPart::Data;
    if (time != Seconds{})
      rows.push_back({is_exchange ? fmt::format("{}, exposed", name) : std::string(name), time});
  }
  rows.push_back({"step", step.times.total});
  const TableColumns<Row> columns{
      left("one step", &Row::name), right("ms", of_its(&Row::time, milliseconds)),
      right("%", [&](const Row& r) { return percent(r.time / step.times.total); })};
  return table_text(columns, rows) +
         note("communication",
              fmt::format("{} in all on that stage, exposed or overlapped{}",
                          time_words(step.times.communication), slowed_compute_text(step)));
}

std::string slow_node_text(const SlowNode& slow) {
  if (!slow.is_slower()) return {};
  std::vector<std::string> slower;
  if (slow.kernels != 1) slower.push_back(fmt::format("kernels take {:g} x as long", slow.kernels));
  if (slow.link != 1)
    slower.push_back(fmt::format("a byte takes {:g} x as long on one link", slow.link));
  return note(slow.kernels != 1 ? "slow node" : "slow link",
              fmt::format("in stage {}: {}", slow.stage + 1, fmt::join(slower, ", ")));
}

/// Shares of the critical path, which decides the step's end: `compute of stage 8 61 %, tensor of
/// stage 8 11 %, ...`.
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
  std::ranges::stable_sort(parts, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> words;
  for (std::size_t i = 0; i < std::min(most, parts.size()); ++i) words.push_back(parts[i].second);
  return listed_note("critical path", words);
}

std::string limit_text(const SimulatedStep& step) {
  const Bottleneck found = bottleneck_of(step.times);
  return note(
      "limited by",
      fmt::format("{}: busy {:.0f} %, exposed communication {:.0f} %, waiting {:.0f} %, launches "
                  "{:.0f} %; {:.0f} % of compute is bound by memory bandwidth",
                  found.name, 100 * found.busy, 100 * found.communication, 100 * found.waiting,
                  100 * found.launch, 100 * step.memory_bound));
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

std::string speed_text(const SimulatedStep& step) {
  const double length = step.model.sequence_length;
  const double batch = step.plan.global_batch() * (length > 0 ? length : 1);
  const std::string_view unit = length > 0 ? "tokens/s" : "samples/s";
  return fact_line(
      "speed", fmt::format("{} {}", short_figure(batch / step.times.total.base()), unit),
      fmt::format("{} to {}", short_figure(batch / step.seconds.high),
                  short_figure(batch / step.seconds.low)),
      fmt::format("MFU {:.0f} % of {}, {:.0f} TFLOP/s each", 100 * step.model_flops_utilisation(),
                  fmt::join(step.precisions(), " and "), step.achieved().base() / 1e12));
}

/// Line with the peak and its verdict, and the parts above 1 % of it, largest first.
std::string memory_line(const SimulatedStep& step) {
  constexpr double least_share = 0.01;
  const Footprint& held = step.memory[step.tightest()];
  std::vector<std::pair<Bytes, std::string_view>> parts;
  Bytes others;
  for (const FootprintPart& part : footprint_parts)
    if (held.*part.bytes > least_share * held.total())
      parts.emplace_back(held.*part.bytes, part.name);
    else
      others += held.*part.bytes;
  std::ranges::stable_sort(parts, [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::string> words;
  for (const auto& [bytes, name] : parts)
    words.push_back(fmt::format("{} {}", name, short_figure(gigabytes(bytes))));
  if (others > Bytes{}) words.push_back(fmt::format("others {:.2f}", gigabytes(others)));
  return fact_line("memory", short_figure(gigabytes(held.total())) + " GB", step_memory_words(step),
                   "") +
         listed_note("", words);
}

std::string memory_table(const SimulatedStep& step) {
  const std::size_t tightest = step.tightest();
  const Footprint& held = step.memory[tightest];
  const auto stages = static_cast<std::size_t>(step.plan.pipeline_parallel_size);
  const std::string on =
      step.kinds.empty() ? "" : fmt::format(", on {}", step.holder(tightest).name);
  struct Row {
    std::string_view name;
    Bytes bytes;
  };
  std::vector<Row> rows;
  for (const FootprintPart& part : footprint_parts)
    if (held.*part.bytes > Bytes{}) rows.push_back({part.name, held.*part.bytes});
  rows.push_back({"total", held.total()});
  const TableColumns<Row> columns{
      left(fmt::format("memory of stage {} of {}{}", tightest % stages + 1, stages, on),
           &Row::name),
      right("GB", of_its(&Row::bytes, gigabytes), "{:.2f}")};
  std::string text = table_text(columns, rows);
  if (held.host > Bytes{})
    text += note("host", fmt::format("holds {:.1f} GB besides", gigabytes(held.host)));
  return text;
}

}  // namespace

std::string step_batch_text(const SimulatedStep& step) {
  const double batch = step.plan.global_batch();
  const double length = step.model.sequence_length;
  return note("batch", length > 0 ? fmt::format("{:g} x {:.0f} = {} tokens", batch, length,
                                                count_text(batch * length, 3))
                                  : fmt::format("{:g} samples", batch));
}

std::string does_not_fit_words(const SimulatedStep& step, std::string_view way_out) {
  if (fits(step)) return {};
  const std::size_t tightest = step.tightest();
  const Footprint& held = step.memory[tightest];
  const Accelerator& chip = step.holder(tightest);
  const bool close = is_close(held, chip);
  return fmt::format(
      "{}, {:.{}f} GB of {:.{}f}{}; if it did: ", close ? "CLOSE, it may not fit" : "DOES NOT FIT",
      gigabytes(held.total()), close ? 1 : 0, gigabytes(chip.memory.value), close ? 1 : 0, way_out);
}

AnswerText step_text(const SimulatedStep& step) {
  AnswerText text;
  text.screen = fmt::format("{} on {}: {}{} a step ({})\n\n", step.model.name, hardware_words(step),
                            does_not_fit_words(step), time_words(step.times.total),
                            time_range_words(step.seconds, step.times.total)) +
                speed_text(step) + memory_line(step);
  if (const auto words = above_peak_words(step.model_flops_utilisation()); !words.empty())
    text.screen += note("WARNING", words);
  text.screen += way_out_text(step) + '\n' + step_bars_text(step.times) + '\n' + limit_text(step) +
                 pace_text(step) + slow_node_text(step.heterogeneous.slow) +
                 note("plan", plan_words(plan_that_runs(step))) +
                 placement_text(step.plan, step.cluster) + step_batch_text(step) +
                 substitutions_text(step.substitutions);
  const std::string kinds = kinds_text(step);
  text.details = (kinds.empty() ? kinds : kinds + '\n') + parts_text(step) +
                 critical_path_text(step) + energy_text(step) + '\n' + memory_table(step);
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

std::string way_out_text(const std::optional<FittingPlan>& found, std::string_view to_try,
                         const std::string& of) {
  return note(
      "would fit",
      (of.empty() ? of : of + ": ") +
          (found ? fmt::format("{} ({:.1f} GB)", plan_words(found->plan),
                               gigabytes(found->largest.total()))
                 : fmt::format("no plan on as many accelerators was found: try {}", to_try)));
}

std::string way_out_text(const SimulatedStep& step) {
  if (fits(step)) return {};
  return way_out_text(nearest_plan_that_fits(step),
                      "more of them (-N), or tofn predict --search all, which chooses the plan");
}

}  // namespace report
}  // namespace tofn
