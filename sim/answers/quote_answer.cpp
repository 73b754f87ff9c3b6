#include "sim/answers/quote_answer.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sim/answers/stacks_answer.hpp"
#include "sim/config/load_model.hpp"
#include "sim/config/load_plan.hpp"
#include "sim/core/error.hpp"
#include "sim/memory/fitting.hpp"
#include "sim/simulation/simulated_step.hpp"
#include "sim/training/run_estimate.hpp"

namespace tofn {
inline namespace answers {
namespace {

/// One run of a quote, simulated.
struct SimulatedRun {
  std::vector<SimulatedStep> steps;  ///< one for each phase
  Seconds time;                      ///< total of all phases, if their step counts are known
};

Model model_of(const QuotedPhase& phase, const std::filesystem::path& configs) {
  Model model = find_model(configs, phase.model);
  model.precision = phase.precision.value_or(model.precision);
  return model;
}

/// Plan on the nearest whole number of replicas below, at the nearest batch that they share evenly.
Plan nearest_plan(const StatedPlan& file, int accelerators, double batch) {
  const int replica = file.split.model_parallel_size();
  const int replicas = std::max(1, accelerators / replica);
  const double unit = 1.0 * replicas * file.micro_batch.value_or(1);
  return plan_on(file, replicas * replica, std::max(1.0, std::round(batch / unit)) * unit);
}

SimulatedRun simulate_run(const QuotedRun& run, const StatedPlan& plan, const Cluster& cluster,
                          const std::filesystem::path& configs, KernelProfile profile) {
  SimulatedRun result;
  if (run.gradient_bucket) profile.state_gradient_bucket(*run.gradient_bucket);
  for (const QuotedPhase& phase : run.phases) {
    const Model model = model_of(phase, configs);
    result.steps.push_back(simulate_step(
        model, nearest_plan(plan, run.accelerators.value, phase.batch), cluster, profile));
    const SimulatedStep& step = result.steps.back();
    result.time += phase.steps.value_or(1) * step.times.total;
  }
  return result;
}

/// FLOPs that a rank computes over the FLOPs that the model needs.
double recomputed_factor(const SimulatedStep& step) {
  const SampleWork work = sample_work(step.model, step.plan);
  return work.hardware / (work.hardware - work.recomputed);
}

std::string simulated_words(const Quote& quote, const SimulatedStep& step) {
  std::string text =
      fmt::format("simulated on {} accelerators, plan {}", step.plan.accelerators(), quote.plan);
  if (step.plan.global_batch() != quote.run.phases.front().batch)
    text += fmt::format(", batch {:g} for {:g}", step.plan.global_batch(),
                        quote.run.phases.front().batch);
  for (const Footprint& stage : step.memory)
    if (!fits(stage, step.cluster.accelerator))
      return text + ", which does not fit the memory by this tool's count";
  return text;
}

void fill_share_of_peak(SimulatedQuote& result, const SimulatedRun& run, double counted) {
  const SimulatedStep& step = run.steps.front();
  const double share = counted * step.model_flops_utilisation();
  const double seconds = step.times.total.base();
  result.measure = counted > 1 ? "of the peak, with recomputation" : "of the peak";
  result.simulated = share;
  result.interval =
      Interval{share * seconds / step.seconds.high, share * seconds / step.seconds.low};
}

void fill_scaling(SimulatedQuote& result, const SimulatedRun& run, const SimulatedRun& reference) {
  const double growth =
      1.0 * result.quote.run.accelerators.value / result.quote.reference->accelerators.value;
  result.measure = fmt::format("against {}", result.quote.reference->accelerators.value);
  result.simulated = reference.time / run.time / growth;
}

std::string time_words(const SimulatedQuote& result, const SimulatedRun& run) {
  const auto& quoted = result.quote.run.time;
  const auto& phases = result.quote.run.phases;
  const bool states_steps =
      std::ranges::all_of(phases, [](const QuotedPhase& each) { return bool(each.steps); });
  if (!quoted || !states_steps) return {};
  return fmt::format("steps alone take {:.1f} min by simulation, {:.0f} % of the quoted time",
                     run.time.base() / 60, 100 * (run.time / quoted->value));
}

/// True if a measured step is one of the quoted run.
bool is_of(const Quote& quote, const Cluster& cluster, const Model& model, const StepCaseRow& row) {
  const std::vector<PartTraits> own = layer_traits(model);
  const std::vector<PartTraits> measured = layer_traits(row.step.model);
  return !own.empty() && !measured.empty() && own.front().hidden == measured.front().hidden &&
         own.front().layers == measured.front().layers &&
         row.step.plan.accelerators() == quote.run.accelerators.value &&
         row.step.plan.global_batch() == quote.run.phases.front().batch &&
         row.step.cluster.accelerator.name == cluster.accelerator.name;
}

std::string left_out_words(const StackWithout& without) {
  std::vector<std::string> rows;
  for (const Location& row : without.left_out)
    rows.push_back(
        fmt::format("{}:{}", std::filesystem::path(row.file).filename().string(), row.line));
  return fmt::format("its own step ({}), of which the stack {} learns, was left out for this",
                     fmt::join(rows, ", "), without.stack.name);
}

SimulatedQuote simulate_quote(const Quote& quote, Library& library, const KnownSteps& known,
                              const std::filesystem::path& configs, KernelProfile profile) {
  const Cluster& cluster = library.cluster(quote.cluster);
  const Model model = model_of(quote.run.phases.front(), configs);
  const auto without = relearned_without(
      known, profile, [&](const StepCaseRow& row) { return is_of(quote, cluster, model, row); });
  if (without) profile = without->stack;
  const StatedPlan plan = find_plan(configs, quote.plan);
  const SimulatedRun run = simulate_run(quote.run, plan, cluster, configs, profile);
  const SimulatedStep& step = run.steps.front();
  const QuoteFacts facts{
      .peak = cluster.accelerator.peak_at(requested_precision(step.model, step.plan)),
      .sample = model_flops(step.model),
      .recomputed_factor = recomputed_factor(step),
      .model_parallel = step.plan.model_parallel_size()};
  SimulatedQuote result{.quote = quote,
                        .accelerator = cluster.accelerator.name,
                        .measure = {},
                        .quoted = quoted_efficiency(quote, facts),
                        .simulated = 0,
                        .interval = {},
                        .accelerators = step.plan.accelerators(),
                        .batch = step.plan.global_batch(),
                        .remarks = remarks_on(quote, facts)};
  if (quote.reference)
    fill_scaling(result, run, simulate_run(*quote.reference, plan, cluster, configs, profile));
  else
    fill_share_of_peak(result, run, quote.counts_recomputation ? facts.recomputed_factor : 1);
  if (const std::string words = time_words(result, run); !words.empty())
    result.remarks.push_back(words);
  result.remarks.push_back(simulated_words(quote, step));
  if (without) result.remarks.push_back(left_out_words(*without));
  return result;
}

}  // namespace

std::vector<SimulatedQuote> simulate_quotes(const std::vector<Quote>& quotes, Library& library,
                                            const std::filesystem::path& configs,
                                            const KernelProfile& profile) {
  KnownSteps known(configs);
  for (const auto& table : tables_of_steps(configs)) known.read(table, nullptr);
  std::vector<SimulatedQuote> simulated;
  for (const Quote& quote : quotes) try {
      simulated.push_back(simulate_quote(quote, library, known, configs, profile));
    } catch (const InputError& error) {
      throw InputError({}, "quote " + quote.name, error.what());
    }
  return simulated;
}

}  // namespace answers
}  // namespace tofn
