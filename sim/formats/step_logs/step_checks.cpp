// Checks of step times against other figures of a log.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

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

/// Seconds per step by the time stamps of two lines of the same job, with their uncertainty.
struct ByClock {
  double seconds = 0;
  double uncertainty = 0;
};
std::optional<ByClock> by_clock(const LoggedStep& from, const LoggedStep& to) {
  if (!from.clock || !to.clock || !from.figures.iteration || !to.figures.iteration) return {};
  const double steps = *to.figures.iteration - *from.figures.iteration;
  const double passed = seconds_between(*from.clock, *to.clock);
  if (!(steps > 0) || !(passed > 0)) return {};
  return ByClock{passed / steps, (from.clock->resolution + to.clock->resolution) / steps};
}

/// InputError if the step times differ from the time stamps of consecutive lines. It compares
/// medians, because evaluations and checkpoints lengthen only some intervals.
void check_clock(const LogText& log, const LoggedSteps& run, double steady) {
  std::vector<double> shares;
  double uncertainty = 0;
  const LoggedStep* at = nullptr;
  for (std::size_t i = 1; i < run.steps.size(); ++i) {
    const LoggedStep& to = run.steps[i];
    const auto clock = to.is_cold ? std::nullopt : by_clock(run.steps[i - 1], to);
    if (!clock) continue;
    shares.push_back(clock->seconds / to.seconds);
    uncertainty = std::max(uncertainty, clock->uncertainty / to.seconds);
    at = &to;
  }
  if (shares.empty() || uncertainty > 0.5) return;
  const double share = median(shares);
  if (share < 1 - agreement - uncertainty || share > 1 + agreement + uncertainty)
    refuse(log, *at, at->figures.seconds ? lines_say : rate_text(run.sizes), steady,
           "the time stamps of the same lines", steady * share);
}

/// Compares the steady step with the median, over the lines, of the time that another figure gives.
template <class Say>
void check_rate(const LogText& log, const LoggedSteps& run, double steady, const char* what,
                const Say& say) {
  std::vector<double> shares;
  for (const LoggedStep& each : run.steps)
    if (each.figures.seconds == each.seconds)
      if (const std::optional<double> seconds = say(each.figures))
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
  const LoggedSizes& sizes = run.sizes;
  check_clock(log, run, steady.seconds);
  check_accelerators(log, run);
  check_utilisation(log, run);
  check_rate(log, run, steady.seconds, "samples/s and the batch make",
             [&](const StepLine& figures) -> std::optional<double> {
               if (!figures.samples_rate || !(*figures.samples_rate > 0) || !sizes.global_batch)
                 return {};
               return *sizes.global_batch / *figures.samples_rate;
             });
  const double tokens = sizes.tokens
                            ? *sizes.tokens
                            : sizes.global_batch.value_or(0) * sizes.sequence_length.value_or(0);
  check_rate(log, run, steady.seconds, "tokens/s and the batch make",
             [&](const StepLine& figures) -> std::optional<double> {
               const double rate = figures.tokens_rate ? *figures.tokens_rate
                                                       : figures.tokens_rate_each.value_or(0) *
                                                             sizes.accelerators.value_or(0);
               if (!(tokens > 0) || !(rate > 0)) return {};
               return tokens / rate;
             });
}

}  // namespace formats
}  // namespace tofn
