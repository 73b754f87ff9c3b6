// Checks of sizes and step times against other figures of a log.
#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/statistics.hpp"
#include "sim/formats/step_logs/step_format.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// Tolerance between two figures of the same steps: one is a mean, the other a median.
constexpr double agreement = 0.15;

constexpr const char* lines_say = "the lines say";

/// Names the source of a step time that its line does not state.
std::string rate_text(const LoggedSizes& sizes) {
  std::string text = "the lines' rate";
  if (sizes.global_batch) text += fmt::format(", a batch of {:g}", *sizes.global_batch);
  if (sizes.accelerators) text += fmt::format(" and {} accelerators", *sizes.accelerators);
  return text + " make";
}

[[noreturn]] void refuse(const LogText& log, const LoggedStep& at, const std::string& who,
                         double steady, const std::string& what, double other) {
  throw InputError(log.location(at.line), "step",
                   fmt::format("{} {:.4g} s a step, {} {:.4g} s: one of them is wrong, so that "
                               "neither is taken",
                               who, steady, what, other));
}

/// InputError if the step times differ from the time stamps of consecutive lines. It compares
/// medians, because evaluations and checkpoints lengthen only some intervals.
void check_clock(const LogText& log, const LoggedSteps& run, double steady) {
  std::vector<double> shares;
  double uncertainty = 0;
  const LoggedStep* at = nullptr;
  for (std::size_t i = 1; i < run.steps.size(); ++i) {
    const LoggedStep& to = run.steps[i];
    const auto clock = to.is_cold ? std::nullopt : clock_between(run.steps[i - 1], to);
    if (!clock || !(clock->iterations > 0) || !(clock->seconds > 0)) continue;
    shares.push_back(clock->seconds / clock->iterations / to.seconds);
    uncertainty = std::max(uncertainty, clock->resolution / clock->iterations / to.seconds);
    at = &to;
  }
  if (shares.empty()) return;
  const double share = median(shares);
  if (share < 1 - agreement - uncertainty || share > 1 + agreement + uncertainty)
    refuse(log, *at, at->figures.seconds ? lines_say : rate_text(run.sizes), steady,
           "the time stamps of the same lines", steady * share);
}

/// Compares the steady step with the median, over the lines, of the time that their rate gives.
void check_rate(const LogText& log, const LoggedSteps& run, double steady, const char* what,
                std::optional<double> (*seconds_by)(const LoggedSizes&, const StepLine&)) {
  std::vector<double> shares;
  for (const LoggedStep& each : run.steps)
    if (each.figures.seconds == each.seconds)
      if (const std::optional<double> seconds = seconds_by(run.sizes, each.figures))
        shares.push_back(*seconds / each.seconds);
  if (shares.empty()) return;
  const double share = median(shares);
  if (std::abs(share - 1) > agreement)
    refuse(log, run.steps.back(), lines_say, steady, what, steady * share);
}

/// InputError if the accelerators are outside the range that tokens/s of all and of one allow,
/// within their last digits.
void check_accelerators(const LogText& log, const LoggedSteps& run) {
  const auto accelerators = run.sizes.accelerators;
  const bool says_both = run.steps.front().figures.tokens_rate.has_value();
  const auto allowed = says_both ? allowed_accelerators(run) : std::nullopt;
  if (!accelerators || !allowed || allowed->low > allowed->high) return;
  if (*accelerators >= allowed->low && *accelerators <= allowed->high) return;
  throw InputError(
      log.location(run.steps.front().line), "accelerators",
      fmt::format("are {}, but tokens/s of all and of one make {:g}{}", *accelerators, allowed->low,
                  allowed->only() ? "" : fmt::format(" to {:g}", allowed->high)));
}

void check_utilisation(const LogText& log, const LoggedSteps& run) {
  constexpr double most_flops = 2e16;  // of one accelerator: twice the fastest 4-bit peak
  for (const LoggedStep& each : run.steps) {
    if (each.figures.utilisation.value_or(0) > 1)
      throw InputError(
          log.location(each.line), "mfu",
          fmt::format("{:g} % of a peak is no utilisation", 100 * *each.figures.utilisation));
    if (each.figures.flops_each.value_or(0) > most_flops)
      throw InputError(
          log.location(each.line), "TFLOP/s",
          fmt::format("no accelerator does {:g} TFLOP/s", *each.figures.flops_each / 1e12));
  }
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
  std::vector<std::string> missing;
  std::vector<std::string> options;
  if (!sizes.accelerators) {
    missing.push_back("how many accelerators ran" + platform_text(sizes.platform) +
                      allowed_text(allowed_accelerators(run)));
    options.emplace_back("--accelerators");
  }
  if (!sizes.global_batch) {
    missing.push_back("the global batch" + allowed_text(allowed_batch(run)));
    options.emplace_back("--batch");
  }
  if (missing.empty()) return;
  throw InputError(log.location(run.line), {},
                   fmt::format("the log does not say {}: state {}", list_text(missing, "and"),
                               list_text(options, "and")));
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

}  // namespace

void check_printed_batch(const LogText& log, const LoggedSteps& run) {
  const LoggedStep& first = run.steps.front();
  const auto rounding = first.rounding.global_batch;
  const auto batch = run.sizes.global_batch;
  if (!batch || !rounding || std::abs(*batch - *first.figures.global_batch) <= *rounding) return;
  throw InputError(log.location(run.line), "--batch",
                   fmt::format("says {:g}, but the log says {:g} to {:g}", *batch,
                               *first.figures.global_batch - *rounding,
                               *first.figures.global_batch + *rounding));
}

void check_steps(const LogText& log, const LoggedSteps& run, const SteadySteps& steady) {
  check_clock(log, run, steady.seconds);
  check_accelerators(log, run);
  check_utilisation(log, run);
  check_rate(log, run, steady.seconds, "samples/s and the batch make", seconds_by_samples);
  check_rate(log, run, steady.seconds, "tokens/s and the batch make", seconds_by_tokens);
}

MeasuredStep sized_step(const LogText& log, const LoggedSteps& run,
                        std::vector<std::string>& unstated) {
  const LoggedSizes& sizes = run.sizes;
  const auto size = [&](const char* option, std::optional<int> value) {
    if (!value && std::ranges::find(unstated, option) == unstated.end())
      unstated.emplace_back(option);
    return value.value_or(1);
  };
  check_stated(log, run);
  MeasuredStep step{.source = run.source};
  if (step.source.empty())
    step.source = run.is_one_figure ? to_text(log.location(run.line)) : log.file;
  step.accelerators = *sizes.accelerators;
  step.global_batch = *sizes.global_batch;
  if (step.global_batch < 1)
    throw InputError(log.location(run.line), {},
                     fmt::format("a step of {:g} samples: at least 1 is expected, state --batch",
                                 step.global_batch));
  step.tensor_parallel_size = size("--tp", sizes.tensor_parallel_size);
  step.pipeline_parallel_size = sizes.pipeline_parallel_size.value_or(1);
  step.context_parallel_size = size("--cp", sizes.context_parallel_size);
  check_split(log, run, step);
  check_accumulation(log, run, step);
  step.gradient_accumulation = size("--grad-accum", accumulation_of(sizes, step));
  step.sequence_length = sizes.sequence_length;
  step.micro_batch = sizes.micro_batch;
  step.model = sizes.model;
  return step;
}

}  // namespace formats
}  // namespace tofn
