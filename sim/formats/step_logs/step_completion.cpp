#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/core/name_table.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/statistics.hpp"
#include "sim/formats/step_logs/step_format.hpp"
#include "sim/formats/step_logs/step_survey.hpp"
#include "sim/formats/step_logs/taken_steps.hpp"

namespace tofn {
inline namespace formats {
namespace {

std::string figure(int value) { return fmt::format("{}", value); }
std::string figure(double value) { return fmt::format("{:g}", value); }

/// Fills the size from the hint; InputError if the log states another.
template <class T>
void agree(const LogText& log, const LogLine& line, const char* option, std::optional<T>& logged,
           std::optional<T> hint) {
  if (logged && hint && *logged != *hint)
    throw InputError(log.location(line), option,
                     fmt::format("says {}, but the log says {}", figure(*hint), figure(*logged)));
  if (!logged) logged = hint;
}

/// Suggests the accelerators in MLPerf's name of a platform: 16 of `2xnode_8xMI300X`.
std::string platform_text(const std::string& platform) {
  if (platform.empty()) return "";
  double product = 1;
  std::string digits;
  bool is_in_name = false;  // part of a server's name: the 8640 of `XE8640x4H100`
  for (const char each : platform) {
    const auto count = each == 'x' && !is_in_name ? parse_count(digits) : std::nullopt;
    if (count && *count > 0) product *= *count;
    if (!is_digit(each)) is_in_name = each != 'x' && each != '_' && each != '-' && each != ' ';
    digits = is_digit(each) ? digits + each : "";
  }
  constexpr double most = 1e6;
  const std::string named = fmt::format(" (the platform is '{}'", shortened(platform));
  return product > 1 && product <= most ? fmt::format("{}: perhaps {:g})", named, product)
                                        : named + ")";
}

/// Returns ` (its lines allow 1015 to 1025)`; empty if the lines do not determine it.
std::string allowed_text(const std::optional<AllowedCounts>& allowed) {
  if (!allowed || allowed->low > allowed->high) return "";
  return fmt::format(" (its lines allow {:.0f} to {:.0f})", allowed->low, allowed->high);
}

/// InputError that requests all missing sizes at once.
void check_stated(const LogText& log, const LoggedSteps& run) {
  const LoggedSizes& sizes = run.sizes;
  std::vector<std::pair<std::string, std::string>> missing;
  if (!sizes.accelerators)
    missing.emplace_back("how many accelerators ran" + platform_text(sizes.platform) +
                             allowed_text(allowed_accelerators(run)),
                         "--accelerators");
  if (!sizes.global_batch)
    missing.emplace_back("the global batch" + allowed_text(allowed_batch(run)), "--batch");
  if (missing.empty()) return;
  std::string what = missing.front().first;
  std::string options = missing.front().second;
  if (missing.size() > 1) {
    what += " and " + missing.back().first;
    options += " and " + missing.back().second;
  }
  throw InputError(log.location(run.line), {},
                   fmt::format("the log does not say {}: state {}", what, options));
}

/// Solves global batch = micro batch x data parallel x accumulation, if all other sizes are known.
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

/// InputError if the stated accumulation does not follow from the batch and the micro-batch.
void check_accumulation(const LogText& log, const LoggedSteps& run, const MeasuredStep& step) {
  LoggedSizes sizes = run.sizes;
  const auto stated = std::exchange(sizes.gradient_accumulation, {});
  if (!stated || !sizes.micro_batch) return;
  const auto made = accumulation_of(sizes, step);
  if (made == stated) return;
  throw InputError(
      log.location(run.line), "grad_accum",
      fmt::format("is {}, but micro-batches of {:g} make {} of a batch of {:g} on {} accelerators",
                  *stated, *sizes.micro_batch, made ? fmt::format("{}", *made) : "no whole number",
                  step.global_batch, step.accelerators));
}

/// Options whose size defaults to 1, because neither the log nor a hint states it.
struct Unstated {
  std::vector<std::string> options{};

  int size(const char* option, std::optional<int> value) {
    if (!value && std::find(options.begin(), options.end(), option) == options.end())
      options.emplace_back(option);
    return value.value_or(1);
  }
};

/// InputError if there are fewer samples than accelerators without a split that shares samples; a
/// replica takes whole samples.
void check_split(const LogText& log, const LoggedSteps& run, const MeasuredStep& step) {
  const LoggedSizes& sizes = run.sizes;
  const double model =
      1.0 * step.tensor_parallel_size * step.context_parallel_size * step.pipeline_parallel_size;
  const double least =
      step.accelerators * sizes.gradient_accumulation.value_or(1) / step.global_batch;
  if (model >= least || (sizes.tensor_parallel_size && sizes.context_parallel_size)) return;
  throw InputError(
      log.location(run.line), {},
      fmt::format("a batch of {:g} on {} accelerators{} takes at least {:g} of them a sample: the "
                  "log does not say how, state --tp (or --cp)",
                  step.global_batch, step.accelerators,
                  sizes.gradient_accumulation.value_or(1) > 1
                      ? fmt::format(" with {} accumulation steps", *sizes.gradient_accumulation)
                      : "",
                  std::ceil(least)));
}

void set_sizes(const LogText& log, const LoggedSteps& run, MeasuredStep& step, Unstated& unstated) {
  const LoggedSizes& sizes = run.sizes;
  check_stated(log, run);
  step.accelerators = *sizes.accelerators;
  step.global_batch = *sizes.global_batch;
  if (step.global_batch < 1)
    throw InputError(log.location(run.line), {},
                     fmt::format("a step of {:g} samples: at least 1 is expected, state --batch",
                                 step.global_batch));
  step.tensor_parallel_size = unstated.size("--tp", sizes.tensor_parallel_size);
  step.pipeline_parallel_size = sizes.pipeline_parallel_size.value_or(1);
  step.context_parallel_size = unstated.size("--cp", sizes.context_parallel_size);
  check_split(log, run, step);
  check_accumulation(log, run, step);
  step.gradient_accumulation = unstated.size("--grad-accum", accumulation_of(sizes, step));
  step.sequence_length = sizes.sequence_length;
  step.micro_batch = sizes.micro_batch;
  step.model = sizes.model;
}

/// Returns `the log does not say --tp and --cp: 1 is taken`.
std::string unstated_text(const std::vector<std::string>& options) {
  std::string text;
  for (std::size_t i = 0; i < options.size(); ++i)
    text += (i == 0 ? "" : i + 1 < options.size() ? ", " : " and ") + options[i];
  return fmt::format("the log does not say {}: 1 is taken", text);
}

/// Returns the runs with their sizes and times completed from the log, its figures and the hints;
/// for a run without a time, the text says why.
std::vector<std::pair<LoggedSteps, std::string>> settled(LoggedRuns& read, const LogText& log,
                                                         const StepHints& hints) {
  std::vector<std::pair<LoggedSteps, std::string>> runs;
  for (LoggedSteps& run : read.runs) {
    if (run.steps.empty()) continue;
    apply_hints(log, run.line, hints, run.sizes);
    check_printed_batch(log, run);
    derive_sizes(log, run, read.remarks);
    std::string unknown = settle_times(run);
    runs.emplace_back(std::move(run), std::move(unknown));
  }
  if (runs.empty()) throw NoSteps({.file = log.file}, {}, "holds no time of a step");
  return runs;
}

std::optional<FlopsPerSecond> rate_of(const LoggedSteps& run) {
  std::vector<double> rates;
  for (const LoggedStep& each : run.steps)
    if (each.figures.flops_each) rates.push_back(*each.figures.flops_each);
  if (rates.empty()) return {};
  return FlopsPerSecond{median(rates)};
}

}  // namespace

void apply_hints(const LogText& log, const LogLine& line, const StepHints& hints,
                 LoggedSizes& sizes) {
  agree(log, line, "--accelerators", sizes.accelerators, hints.accelerators);
  agree(log, line, "--batch", sizes.global_batch, hints.global_batch);
  agree(log, line, "--tp", sizes.tensor_parallel_size, hints.tensor_parallel_size);
  agree(log, line, "--pp", sizes.pipeline_parallel_size, hints.pipeline_parallel_size);
  agree(log, line, "--cp", sizes.context_parallel_size, hints.context_parallel_size);
  agree(log, line, "--grad-accum", sizes.gradient_accumulation, hints.gradient_accumulation);
  agree(log, line, "--sequence-length", sizes.sequence_length, hints.sequence_length);
  agree(log, line, "--micro-batch", sizes.micro_batch, hints.micro_batch);
}

StepReading completed_steps(LoggedRuns read, const LogText& log, const StepHints& hints) {
  StepReading reading;
  Unstated unstated;
  const auto runs = settled(read, log, hints);
  reading.remarks = std::move(read.remarks);
  for (const auto& [run, unknown] : runs) {
    if (!unknown.empty()) throw InputError(log.location(run.line), "step", unknown);
    MeasuredStep step{.source = run.source};
    if (step.source.empty())
      step.source = run.is_one_figure ? to_text(log.location(run.line)) : log.file;
    set_sizes(log, run, step, unstated);
    auto [steady, regimes] = taken_of(log, run, hints.regime, reading.remarks);
    constexpr double most_steps = 1e9;
    step.step = Seconds{steady.seconds};
    step.spread = steady.spread;
    step.steps = static_cast<int>(std::clamp(steady.steps, 1.0, most_steps));
    step.regimes = std::move(regimes);
    step.rate_each = rate_of(run);
    reading.steps.push_back(step);
  }
  if (!unstated.options.empty())
    reading.remarks.push_back(log.remark(runs.front().first.line, unstated_text(unstated.options)));
  return reading;
}

StepLogSurvey surveyed_steps(LoggedRuns read, const LogText& log, const StepHints& hints) {
  StepLogSurvey surveyed{.warnings = slow_warnings(log)};
  const auto runs = settled(read, log, hints);
  surveyed.remarks = std::move(read.remarks);
  for (const auto& [run, unknown] : runs) {
    StepSurvey survey = survey_of(run, unknown);
    survey.format = read.format;
    if (unknown.empty()) {
      auto [steady, regimes] = taken_of(log, run, hints.regime, surveyed.remarks);
      survey.step = Seconds{steady.seconds};
      survey.spread = steady.spread;
      survey.steps = steady.steps;
      survey.regimes = std::move(regimes);
    }
    surveyed.runs.push_back(std::move(survey));
  }
  return surveyed;
}

}  // namespace formats
}  // namespace tofn
