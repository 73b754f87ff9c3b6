// Sizes and times that follow from figures of the same lines.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/statistics.hpp"
#include "sim/formats/step_logs/step_format.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr double most = 1e7;           // of accelerators, or of tokens per sample
constexpr double largest_count = 1e9;  // samples

/// Median of a figure over the step lines that print it; empty if none does.
template <class Say>
std::optional<double> typical(const LoggedSteps& run, const Say& say) {
  std::vector<double> values;
  for (const LoggedStep& each : run.steps)
    if (const std::optional<double> value = say(each.figures)) values.push_back(*value);
  if (values.empty()) return {};
  return median(values);
}

constexpr double printed_share = 0.02;  // error of two figures with three digits

/// Range of a printed figure before rounding.
std::optional<Interval> interval_of(const LoggedStep& step, std::optional<double> StepLine::*what) {
  const auto value = step.figures.*what;
  const double rounding = (step.rounding.*what).value_or(0);
  if (!value || !(*value > rounding)) return {};
  return Interval{*value - rounding, *value + rounding};
}
/// Range of the seconds per step.
std::optional<Interval> seconds_interval(const LoggedStep& step) {
  if (const auto printed = interval_of(step, &StepLine::seconds)) return printed;
  const auto rate = interval_of(step, &StepLine::steps_rate);
  return rate ? std::optional(Interval{1 / rate->high, 1 / rate->low}) : std::nullopt;
}
Interval operator*(Interval a, Interval b) { return {a.low * b.low, a.high * b.high}; }
Interval operator/(Interval a, Interval b) { return {a.low / b.high, a.high / b.low}; }

/// Whole numbers within the intervals of all steps that have one.
template <class Say>
std::optional<AllowedCounts> allowed_by(const LoggedSteps& run, const Say& say) {
  constexpr double slack = 1e-9;  // for rounding in the arithmetic
  std::optional<AllowedCounts> allowed;
  for (const LoggedStep& each : run.steps) {
    const std::optional<Interval> interval = say(each);
    if (!interval) continue;
    if (!allowed) allowed = AllowedCounts{1, largest_count};
    allowed->low = std::max(allowed->low, std::ceil(interval->low * (1 - slack)));
    allowed->high = std::min(allowed->high, std::floor(interval->high * (1 + slack)));
  }
  return allowed;
}

std::optional<int> accelerators_of(const LoggedSteps& run) {
  const auto allowed = allowed_accelerators(run);
  const auto only = allowed ? allowed->only() : std::nullopt;
  return only && *only <= most ? std::optional(static_cast<int>(*only)) : std::nullopt;
}

/// Drops token counts of padded steps: MaxText counts only targets without padding
/// (`total_weights`). A count that accelerators do not divide evenly is not that of all tokens.
void drop_padded(LoggedSteps& run) {
  const auto allowed = allowed_accelerators(run);
  const auto accelerators = run.sizes.accelerators ? run.sizes.accelerators : accelerators_of(run);
  const auto is_padded = [&](const LoggedStep& each) {
    if (!each.figures.tokens) return false;
    return accelerators ? std::fmod(*each.figures.tokens, *accelerators) != 0
                        : allowed && allowed->low > allowed->high;
  };
  if (std::ranges::none_of(run.steps, is_padded)) return;
  for (LoggedStep& each : run.steps) each.figures.tokens.reset();
}

/// Derives accelerators: data-parallel ranks from the global and the local batch, times the ranks
/// that share a sample.
std::optional<int> accelerators_of(const LoggedSizes& sizes) {
  const auto each = sizes.local_batch             ? sizes.local_batch
                    : sizes.gradient_accumulation ? sizes.micro_batch
                                                  : std::nullopt;
  if (!sizes.global_batch || !each) return {};
  const double ranks = *sizes.global_batch / *each / sizes.gradient_accumulation.value_or(1) *
                       sizes.tensor_parallel_size.value_or(1) *
                       sizes.pipeline_parallel_size.value_or(1) *
                       sizes.context_parallel_size.value_or(1);
  if (!(ranks >= 1 && ranks <= most) || ranks != std::floor(ranks)) return {};
  return static_cast<int>(ranks);
}

/// Increment per step of a figure that counts from the run's start.
std::optional<double> added_by_step(const LoggedSteps& run,
                                    std::optional<double> StepLine::*count) {
  for (std::size_t i = 1; i < run.steps.size(); ++i) {
    const StepLine& from = run.steps[i - 1].figures;
    const StepLine& to = run.steps[i].figures;
    if (!(from.*count) || !(to.*count) || !from.iteration || !to.iteration) continue;
    const double steps = *to.iteration - *from.iteration;
    const double added = *(to.*count) - *(from.*count);
    if (steps > 0 && added > 0) return added / steps;
  }
  return {};
}

/// Tokens/s of the job, as printed or from that of one accelerator.
std::optional<double> tokens_rate_of(const LoggedSizes& sizes, const StepLine& figures) {
  if (figures.tokens_rate.value_or(0) > 0) return figures.tokens_rate;
  const double rate = figures.tokens_rate_each.value_or(0) * sizes.accelerators.value_or(0);
  return rate > 0 ? std::optional(rate) : std::nullopt;
}

/// Seconds per step by the line's own time or steps/s.
std::optional<double> printed_seconds(const StepLine& figures) {
  if (figures.seconds || !(figures.steps_rate.value_or(0) > 0)) return figures.seconds;
  return 1 / *figures.steps_rate;
}

/// Samples per step, from the samples so far or from samples/s.
std::optional<double> batch_of(const LoggedSteps& run) {
  std::optional<double> batch = added_by_step(run, &StepLine::samples);
  const StepLine& first = run.steps.front().figures;
  if (!batch && first.samples && first.iteration) {
    // Steps count from 0 or from 1: takes the one that divides the samples, if the other does not.
    const auto of_steps = [&](double steps) {
      return steps > 0 && std::fmod(*first.samples, steps) == 0
                 ? std::optional(*first.samples / steps)
                 : std::nullopt;
    };
    const auto from_zero = of_steps(*first.iteration + 1);
    const auto from_one = of_steps(*first.iteration);
    if (!from_zero || !from_one) batch = from_zero ? from_zero : from_one;
  }
  const auto allowed = allowed_batch(run);
  if (!batch && allowed) batch = allowed->only();
  return batch && *batch >= 1 && *batch <= largest_count && *batch == std::floor(*batch)
             ? batch
             : std::nullopt;
}

/// Tokens per sample: a power of two near the value that the rates give.
std::optional<double> sequence_of(const LoggedSteps& run) {
  const auto tokens = typical(run, [&](const StepLine& figures) -> std::optional<double> {
    if (figures.tokens) return figures.tokens;
    if (run.sizes.tokens) return run.sizes.tokens;
    const auto rate = tokens_rate_of(run.sizes, figures);
    const auto seconds = printed_seconds(figures);
    return rate && seconds ? std::optional(*rate * *seconds) : std::nullopt;
  });
  if (!tokens || !run.sizes.global_batch) return {};
  const double each = *tokens / *run.sizes.global_batch;
  const double power = std::exp2(std::round(std::log2(each)));
  return power >= 1 && power <= most && std::abs(each / power - 1) <= printed_share
             ? std::optional(power)
             : std::nullopt;
}

template <class T>
void take(const LogText& log, const LoggedSteps& run, const char* what, std::optional<T>& size,
          std::optional<T> value, std::vector<std::string>& remarks) {
  if (size || !value) return;
  size = value;
  remarks.push_back(log.remark(run.line, fmt::format("{} {}, by other figures of its lines",
                                                     static_cast<double>(*value), what)));
}

/// Tokens per step over all samples.
std::optional<double> tokens_of(const LoggedSizes& sizes, const StepLine& figures) {
  if (figures.tokens) return figures.tokens;
  if (sizes.tokens) return sizes.tokens;
  if (sizes.global_batch && sizes.sequence_length)
    return *sizes.global_batch * *sizes.sequence_length;
  return {};
}

/// Seconds per step from the rate of its line, or from the time stamps of it and the line before;
/// 0 if neither determines them.
double seconds_of(const LoggedSizes& sizes, const LoggedStep* before, const LoggedStep& step) {
  if (const auto seconds = printed_seconds(step.figures)) return *seconds;
  if (const auto seconds = seconds_by_samples(sizes, step.figures)) return *seconds;
  if (const auto seconds = seconds_by_tokens(sizes, step.figures)) return *seconds;
  const auto clock =
      before == nullptr || step.is_cold ? std::nullopt : clock_between(*before, step);
  constexpr double coarse = 50;  // units of the stamps in an interval: within 2 %
  if (!clock || !(clock->iterations > 0) || clock->seconds < coarse * step.clock->resolution)
    return 0;
  return clock->seconds / clock->iterations;
}

std::string missing_text(const LoggedSteps& run) {
  const StepLine& figures = run.steps.front().figures;
  const auto rate = figures.tokens_rate ? figures.tokens_rate : figures.tokens_rate_each;
  if (!rate && figures.samples_rate)
    return fmt::format(
        "its lines say {:g} samples/s and no time of a step, which follows from its "
        "samples: state --batch",
        *figures.samples_rate);
  if (!rate) return "its lines say neither the time of a step nor rates that it follows from";
  std::vector<std::string> missing;
  if (!run.sizes.global_batch) missing.emplace_back("--batch");
  if (!run.sizes.sequence_length) missing.emplace_back("--sequence-length");
  if (!figures.tokens_rate && !run.sizes.accelerators) missing.emplace_back("--accelerators");
  return fmt::format(
      "its lines say {:g} tokens/s{} and no time of a step, which follows from the samples and "
      "tokens of a step: state {}",
      *rate, figures.tokens_rate ? "" : " of one accelerator", choices(missing));
}

}  // namespace

std::optional<double> AllowedCounts::only() const {
  return low == high ? std::optional(low) : std::nullopt;
}

std::optional<AllowedCounts> allowed_accelerators(const LoggedSteps& run) {
  const auto added = added_by_step(run, &StepLine::tokens_trained);
  return allowed_by(run, [&](const LoggedStep& step) -> std::optional<Interval> {
    const auto each = interval_of(step, &StepLine::tokens_rate_each);
    const auto all = interval_of(step, &StepLine::tokens_rate);
    const auto seconds = seconds_interval(step);
    const auto tokens = step.figures.tokens ? step.figures.tokens : added;
    if (each && all) return *all / *each;
    if (!each || !tokens || !seconds) return {};
    return Interval{*tokens, *tokens} / *seconds / *each;
  });
}

std::optional<AllowedCounts> allowed_batch(const LoggedSteps& run) {
  return allowed_by(run, [](const LoggedStep& step) -> std::optional<Interval> {
    if (const auto printed = interval_of(step, &StepLine::global_batch)) return printed;
    const auto rate = interval_of(step, &StepLine::samples_rate);
    const auto seconds = seconds_interval(step);
    if (!rate || !seconds) return {};
    return *rate * *seconds;
  });
}

void derive_sizes(const LogText& log, LoggedSteps& run, std::vector<std::string>& remarks) {
  LoggedSizes& sizes = run.sizes;
  drop_padded(run);
  if (sizes.nodes && sizes.per_node && !sizes.accelerators)
    if (1.0 * *sizes.nodes * *sizes.per_node <= most)
      sizes.accelerators = *sizes.nodes * *sizes.per_node;
  take(log, run, "accelerators", sizes.accelerators, accelerators_of(run), remarks);
  take(log, run, "accelerators", sizes.accelerators, accelerators_of(sizes), remarks);
  take(log, run, "samples a step", sizes.global_batch, batch_of(run), remarks);
  if (!sizes.tokens) sizes.tokens = added_by_step(run, &StepLine::tokens_trained);
  // Pipelines cut the batch of a data-parallel rank into micro-batches; without them it is one.
  if (!sizes.micro_batch && sizes.pipeline_parallel_size.value_or(1) == 1)
    sizes.micro_batch = sizes.local_batch;
  take(log, run, "tokens a sample", sizes.sequence_length, sequence_of(run), remarks);
  const auto tokens = typical(run, [](const StepLine& figures) { return figures.tokens; });
  if (!sizes.tokens) sizes.tokens = tokens;
  if (!sizes.global_batch && sizes.tokens && sizes.sequence_length &&
      std::fmod(*sizes.tokens, *sizes.sequence_length) == 0)
    sizes.global_batch = *sizes.tokens / *sizes.sequence_length;
}

std::optional<double> seconds_by_samples(const LoggedSizes& sizes, const StepLine& figures) {
  if (!(figures.samples_rate.value_or(0) > 0) || !sizes.global_batch) return {};
  return *sizes.global_batch / *figures.samples_rate;
}

std::optional<double> seconds_by_tokens(const LoggedSizes& sizes, const StepLine& figures) {
  const auto tokens = tokens_of(sizes, figures);
  const auto rate = tokens_rate_of(sizes, figures);
  return tokens && rate ? std::optional(*tokens / *rate) : std::nullopt;
}

void settle_times(LoggedSteps& run) {
  std::vector<LoggedStep> kept;
  const LoggedStep* before = nullptr;
  for (LoggedStep& each : run.steps) {
    if (each.seconds == 0) each.seconds = seconds_of(run.sizes, before, each);
    if (is_step_time(each.seconds)) kept.push_back(each);
    before = &each;
  }
  if (kept.empty())
    run.unknown = missing_text(run);
  else
    run.steps = std::move(kept);
}

}  // namespace formats
}  // namespace tofn
