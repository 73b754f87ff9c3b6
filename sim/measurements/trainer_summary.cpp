// Hugging Face's Trainer: `{'train_runtime': 273.0, 'train_samples_per_second': 3.66,
// 'train_steps_per_second': 0.007, ...}` at the end of a run, once a rank.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/measurements/step_format.hpp"

namespace tofn {
inline namespace measurements {
namespace {

constexpr std::string_view summary_mark = "'train_runtime'";

bool has_mark(const LogLine& line) {
  return line.text.find(summary_mark) != std::string_view::npos;
}

/// Whole steps of a run: printed samples over the batch, else what three digits of steps/s leave.
std::optional<double> steps_of(double seconds, const LogLine& line, const LoggedSizes& sizes) {
  const auto samples_rate = figure_after(line.text, "train_samples_per_second");
  const auto steps_rate = figure_after(line.text, "train_steps_per_second");
  if (samples_rate && sizes.global_batch && steps_rate) {
    const double steps = std::ceil(std::round(*samples_rate * seconds) / *sizes.global_batch);
    constexpr double last_digit = 0.0005;  // of steps/s
    const bool agrees = std::abs(steps - *steps_rate * seconds) <= last_digit * seconds + 1;
    return agrees && steps >= 1 ? std::optional(steps) : std::nullopt;
  }
  if (!steps_rate || !(*steps_rate > 0)) return {};
  constexpr double telling = 0.1;  // steps/s with two digits or more
  return *steps_rate >= telling ? std::optional(*steps_rate * seconds) : std::nullopt;
}

}  // namespace

bool is_trainer_summary(const LogText& log) {
  return std::any_of(log.lines.begin(), log.lines.end(), has_mark) && !is_progress_bar(log);
}

LoggedRuns read_trainer_summary(const LogText& log, const StepHints& hints) {
  const auto at = std::find_if(log.lines.begin(), log.lines.end(), has_mark);
  LoggedSizes sizes;  // of several jobs in one file the last dump before the summary counts
  for (auto line = at; line != log.lines.begin();) take_sizes(*--line, sizes);
  const auto seconds = figure_after(at->text, "train_runtime");
  LoggedSizes known = sizes;
  if (!known.global_batch) known.global_batch = hints.global_batch;
  const auto steps = seconds ? steps_of(*seconds, *at, known) : std::nullopt;
  if (!seconds || !steps || !(*seconds / *steps > 0))
    throw InputError(log.location(*at), "train_runtime",
                     "how many steps that was follows neither from train_steps_per_second nor from "
                     "train_samples_per_second and the batch: state --batch");
  LoggedRuns read;
  read.runs.push_back({.sizes = sizes,
                       .steps = {{.seconds = *seconds / *steps, .steps = *steps, .line = *at}},
                       .is_one_figure = true,
                       .line = *at});
  read.remarks.push_back(log.remark(
      *at,
      fmt::format("the mean of a whole run of {:g} steps, start and warm-up included: it is an "
                  "upper bound of a step",
                  std::round(*steps))));
  return read;
}

}  // namespace measurements
}  // namespace tofn
