#include "sim/answers/watch_answer.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <span>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/file.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/formats/step_logs/steady_steps.hpp"
#include "sim/simulation/stack_uncertainty.hpp"

namespace tofn {
inline namespace answers {
namespace {

using Steps = std::span<const double>;

constexpr std::size_t window = 20;   // number of newest steps
constexpr double noticeable = 0.05;  // drift that is reported

Steps newest(const WatchAnswer& now) {
  const Steps all = now.run.seconds;
  return all.subspan(all.size() - std::min(window, all.size()));
}

/// The first steps after warm-up, as many as the newest.
Steps earliest(const WatchAnswer& now) {
  const Steps all = now.run.seconds;
  const std::size_t half = all.size() / 2;
  return half == 0 ? all : all.subspan(std::min<std::size_t>(1, half - 1), std::min(window, half));
}

/// True if steps changed abruptly, in the whole run or recently.
bool is_sudden(const WatchAnswer& now) {
  const Steps all = now.run.seconds;
  const std::size_t lately = std::min(20 * window, all.size());
  return !changes_of(all).empty() || !changes_of(all.last(lately)).empty();
}

bool is_scattered(const WatchAnswer& now) {
  constexpr double wide = 2;
  return robust_deviation(newest(now)) / median(newest(now)) >
         wide * robust_deviation(earliest(now)) / median(earliest(now)) + 0.02;
}

bool is_drifting(const WatchAnswer& now) { return now.own_drift > noticeable; }

constexpr std::array causes_of_drift{
    DriftCause{"stragglers",
               [](const WatchAnswer& now) { return is_drifting(now) && is_scattered(now); },
               "steps scatter more than at first: ranks wait for a slow one, or for data"},
    DriftCause{"slow node",
               [](const WatchAnswer& now) { return is_drifting(now) && is_sudden(now); },
               "the slowdown was sudden: a node or link became slow, or clocks were capped"},
    DriftCause{"growth", is_drifting,
               "the slowdown was gradual: memory that fragments, longer samples, or heat"},
    DriftCause{"outside steps", [](const WatchAnswer& now) { return now.outside > 2 * noticeable; },
               "steps are as long as at first: the time goes into evaluations, checkpoints or data "
               "between them"},
    DriftCause{"from the start",
               [](const WatchAnswer& now) { return now.drift.value_or(0) > noticeable; },
               "steps were longer than predicted from the start: the job's plan, batch or stack is "
               "another, or the machine is slower than its description"}};

/// Sets the share of time outside steps, by comparing the mean step with the time stamps of the
/// log.
void set_outside(WatchAnswer& now) {
  const StepSurvey& run = now.run;
  if (!run.clock_seconds || !run.clock_iterations || !(*run.clock_iterations > 0)) return;
  const double by_clock = *run.clock_seconds / *run.clock_iterations;
  now.outside = std::max(0.0, 1 - mean(run.seconds) / by_clock);
}

/// Standard deviation of the level of steps: from the means of blocks of the run, combined with a
/// typical difference between runs of one plan, which counts as much as the steps that the blocks
/// need.
double wandering_of(Steps all) {
  constexpr std::size_t blocks = 8;
  constexpr std::size_t needed = 2 * blocks;
  double of_run = 0.5 * robust_deviation(all);
  if (all.size() >= needed) {
    std::vector<double> levels;
    for (std::size_t i = 0; i < blocks; ++i)
      levels.push_back(mean(all.subspan(i * all.size() / blocks,
                                        (i + 1) * all.size() / blocks - i * all.size() / blocks)));
    of_run = standard_deviation(levels);
  }
  const double typical = default_discrepancy.run * mean(all);
  const double share = static_cast<double>(needed) / static_cast<double>(needed + all.size());
  return std::hypot(std::sqrt(share) * typical, std::sqrt(1 - share) * of_run);
}

void forecast(WatchAnswer& now) {
  if (now.run.end.is_known() || !now.iteration || !now.iterations ||
      *now.iterations <= *now.iteration)
    return;
  const double steps = *now.iterations - *now.iteration;
  const double each = mean(newest(now)) / (1 - now.outside);
  const double scatter = standard_deviation(newest(now));
  const double noise = scatter * std::sqrt(steps);
  const double known = scatter / std::sqrt(static_cast<double>(newest(now).size())) * steps;
  const double level = wandering_of(now.run.seconds) * steps;
  // Waits between steps happen this often, by chance.
  const double waits =
      now.run.clock_waits > 0 ? steps * each * now.outside / std::sqrt(now.run.clock_waits) : 0;
  const double reach =
      ninety_percent_deviations * std::hypot(std::hypot(noise, waits), known, level);
  if (!std::isfinite(steps * each + reach)) return;  // beyond the length of any run
  now.left = Seconds{steps * each};
  now.left_low = Seconds{std::max(0.0, steps * each - reach)};
  now.left_high = Seconds{steps * each + reach};
}

/// Slowdown in the last part of the run, compared with the one before; absent if there is none.
std::optional<StepSlowdown> slowdown_of(const WatchAnswer& now) {
  const std::vector<StepRegime>& parts = now.run.regimes;
  if (parts.size() < 2 || !parts.back().from || !now.iteration) return {};
  const Seconds before = parts[parts.size() - 2].step;
  const Seconds longer = parts.back().step - before;
  if (longer < noticeable * before) return {};
  StepSlowdown found{.since = *parts.back().from, .before = before};
  found.lost = longer * (*now.iteration - found.since + 1);
  if (now.left) found.to_lose = longer * (*now.iterations - *now.iteration);
  return found;
}

/// Time of the last write in seconds since 1970; absent if it is not a file.
std::optional<double> written_at(const std::filesystem::path& file) {
  std::error_code is_no_file;
  const auto time = std::filesystem::last_write_time(file, is_no_file);
  if (is_no_file) return {};
  return std::chrono::duration<double>(
             std::filesystem::file_time_type::clock::to_sys(time).time_since_epoch())
      .count();
}

/// Time since a running job last wrote its log, if it is longer than many steps and than
/// evaluations and checkpoints are taken to last (assumed).
std::optional<Seconds> silence(const WatchAnswer& now) {
  constexpr double many_steps = 100;
  constexpr Seconds least{10 * 60.0};
  if (!now.written || now.is_over()) return {};
  const double clock =
      std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  const Seconds since{clock - *now.written};
  if (since < std::max(least, many_steps * now.recent)) return {};
  return since;
}

/// Number of iterations by the log, else as stated. InputError if both state one and they differ.
std::optional<double> iterations_of(const StepSurvey& run, const WatchQuestion& request) {
  if (!request.iterations || request.iterations == run.iterations) return run.iterations;
  if (run.iterations)
    throw InputError(
        {}, "--iterations",
        fmt::format("says {:.0f}, but the log says {:.0f}", *request.iterations, *run.iterations));
  if (run.iteration && *run.iteration > *request.iterations)
    throw InputError(
        {}, "--iterations",
        fmt::format("says {:.0f}, but the log is at {:.0f}", *request.iterations, *run.iteration));
  return request.iterations;
}

/// Says why no step of a run has a time to compare.
std::string no_time_text(const StepSurvey& run) {
  if (!run.unknown.empty()) return run.unknown;
  if (!run.step) return "no step has a time yet";
  return fmt::format("the only step, of {}, holds the warm-up of its job: no other is printed yet",
                     to_text(*run.step));
}

}  // namespace

std::span<const DriftCause> drift_causes() { return causes_of_drift; }

WatchAnswer watch(const WatchQuestion& request) {
  StepHints hints = request.hints;
  hints.regime = RegimeTaken::Last;
  const StepLogSurvey survey = survey_step_log(read_text_file(request.file), request.file, hints);
  WatchAnswer now{
      .run = survey.runs.back(), .runs = survey.runs.size(), .warnings = survey.warnings};
  if (now.run.seconds.empty()) throw NoSteps({request.file}, "step", no_time_text(now.run));
  now.iteration = now.run.iteration;
  now.iterations = iterations_of(now.run, request);
  now.recent = Seconds{median(newest(now))};
  now.own_drift = median(newest(now)) / median(earliest(now)) - 1;
  if (request.predicted) now.drift = now.recent / *request.predicted - 1;
  set_outside(now);
  forecast(now);
  now.slowdown = slowdown_of(now);
  now.written = written_at(request.file);
  now.silent = silence(now);
  const auto* const cause = std::ranges::find_if(
      causes_of_drift, [&](const DriftCause& each) { return each.shows(now); });
  if (cause != causes_of_drift.end()) now.cause = cause->sentence;
  return now;
}

}  // namespace answers
}  // namespace tofn
