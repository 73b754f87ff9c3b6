#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/measurements/step_format.hpp"

namespace tofn {
inline namespace measurements {
namespace {

std::string figure(int value) { return fmt::format("{}", value); }
std::string figure(double value) { return fmt::format("{:g}", value); }

/// What log and hint say of one size; InputError where they differ.
template <class T>
std::optional<T> agreed(const LogText& log, const LoggedSteps& run, const char* option,
                        std::optional<T> logged, std::optional<T> hint) {
  if (logged && hint && *logged != *hint)
    throw InputError(log.location(run.line), option,
                     fmt::format("says {}, but the log says {}", figure(*hint), figure(*logged)));
  return logged ? logged : hint;
}

template <class T>
T needed(const LogText& log, const LoggedSteps& run, const char* what, const char* option,
         std::optional<T> value) {
  if (value) return *value;
  throw InputError(log.location(run.line), {},
                   fmt::format("the log does not say {}: state {}", what, option));
}

/// global batch = micro batch x data parallel x accumulation, where all else is known.
std::optional<int> accumulation_of(const LoggedSizes& sizes, const MeasuredStep& step) {
  if (sizes.gradient_accumulation || !sizes.micro_batch) return sizes.gradient_accumulation;
  const double model =
      1.0 * step.tensor_parallel_size * step.context_parallel_size * step.pipeline_parallel_size;
  const double accumulation = step.global_batch / *sizes.micro_batch / (step.accelerators / model);
  constexpr double most = 1e6;
  const bool is_whole =
      accumulation >= 1 && accumulation <= most && accumulation == std::floor(accumulation);
  return is_whole ? std::optional(static_cast<int>(accumulation)) : std::nullopt;
}

void set_sizes(const LogText& log, const LoggedSteps& run, const StepHints& hints,
               MeasuredStep& step, std::vector<std::string>& unstated) {
  const LoggedSizes& sizes = run.sizes;
  step.accelerators =
      needed(log, run, "how many accelerators ran", "--accelerators",
             agreed(log, run, "--accelerators", sizes.accelerators, hints.accelerators));
  step.global_batch = needed(log, run, "the global batch", "--batch",
                             agreed(log, run, "--batch", sizes.global_batch, hints.global_batch));
  const auto take = [&](const char* option, std::optional<int> logged, std::optional<int> hint,
                        int& size) {
    const auto value = agreed(log, run, option, logged, hint);
    if (!value && std::find(unstated.begin(), unstated.end(), option) == unstated.end())
      unstated.emplace_back(option);
    size = value.value_or(1);
  };
  take("--tp", sizes.tensor_parallel_size, hints.tensor_parallel_size, step.tensor_parallel_size);
  take("--cp", sizes.context_parallel_size, hints.context_parallel_size,
       step.context_parallel_size);
  step.pipeline_parallel_size =
      agreed(log, run, "--pp", sizes.pipeline_parallel_size, hints.pipeline_parallel_size)
          .value_or(1);
  take("--grad-accum", accumulation_of(sizes, step), hints.gradient_accumulation,
       step.gradient_accumulation);
}

/// `3 of 200 times left out as outliers (over 5 deviations and 5 % from the median): 9.1 s in line
/// 40, ...`
std::string outliers_text(const SteadySteps& steady, std::size_t times) {
  constexpr std::size_t most_named = 4;
  std::string text = fmt::format(
      "{} of {} times left out as outliers (over {:g} deviations and {:g} % from the median):",
      steady.outliers.size(), times, outlier_deviations, 100 * least_outlier);
  for (std::size_t i = 0; i < std::min(most_named, steady.outliers.size()); ++i)
    text += fmt::format("{} {:.4g} s in line {}", i == 0 ? "" : ",", steady.outliers[i].seconds,
                        steady.outliers[i].line.number);
  return text + (steady.outliers.size() > most_named ? ", ..." : "");
}

void set_step(const LogText& log, const LoggedSteps& run, MeasuredStep& step,
              std::vector<std::string>& remarks) {
  constexpr double most_steps = 1e9;
  if (run.is_one_figure) {
    step.step = Seconds{run.steps.front().seconds};
    step.spread = run.spread.value_or(0);
    step.steps = static_cast<int>(std::min(run.steps.front().steps, most_steps));
    return;
  }
  const SteadySteps steady = steady_steps(run.steps);
  step.step = Seconds{steady.seconds};
  step.spread = steady.spread;
  step.steps = static_cast<int>(std::min(steady.steps, most_steps));
  const LogLine& first = run.steps.front().line;
  if (steady.warm_up > 0)
    remarks.push_back(log.remark(
        first, fmt::format("batch {:g}: the first {} of {} times left out as warm-up (until one is "
                           "within {:g} % of the second half's median)",
                           step.global_batch, steady.warm_up, run.steps.size(), 100 * warm_band)));
  if (!steady.outliers.empty())
    remarks.push_back(
        log.remark(steady.outliers.front().line, outliers_text(steady, run.steps.size())));
}

/// `--tp and --cp are not stated: 1 is taken`
std::string unstated_text(const std::vector<std::string>& options) {
  std::string text;
  for (std::size_t i = 0; i < options.size(); ++i)
    text += (i == 0 ? "" : i + 1 < options.size() ? ", " : " and ") + options[i];
  return fmt::format("the log does not say {}: 1 is taken", text);
}

}  // namespace

StepReading completed_steps(const LoggedRuns& read, const LogText& log, const StepHints& hints) {
  StepReading reading{.steps = {}, .remarks = read.remarks};
  std::vector<std::string> unstated;
  for (const LoggedSteps& run : read.runs) {
    if (run.steps.empty()) continue;
    MeasuredStep step{.source = run.source};
    if (step.source.empty())
      step.source = run.is_one_figure ? to_text(log.location(run.line)) : log.file;
    set_sizes(log, run, hints, step, unstated);
    set_step(log, run, step, reading.remarks);
    reading.steps.push_back(step);
  }
  if (reading.steps.empty()) throw InputError({.file = log.file}, {}, "holds no time of a step");
  if (!unstated.empty())
    reading.remarks.push_back(log.remark(read.runs.front().line, unstated_text(unstated)));
  return reading;
}

}  // namespace measurements
}  // namespace tofn
