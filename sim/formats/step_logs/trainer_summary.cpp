// Summary of Hugging Face's Trainer: `{'train_runtime': 273.0, 'train_samples_per_second': 3.66,
// 'train_steps_per_second': 0.007, ...}` at the end of a run, printed by each rank.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sim/formats/step_logs/step_format.hpp"
#include "sim/formats/step_logs/step_sizes.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr std::string_view summary_mark = "'train_runtime'";
constexpr double last_digit = 0.0005;  // half a unit of it, of steps/s
constexpr double telling = 0.1;        // steps/s with at least two digits

bool has_mark(const LogLine& line) {
  return line.text.find(summary_mark) != std::string_view::npos;
}

/// Whole steps until the end of a run: the stated ones, otherwise printed samples over the batch,
/// otherwise what three digits of steps/s give.
std::optional<double> steps_of(double seconds, const LogLine& line, const LoggedSizes& sizes) {
  const auto samples_rate = figure_after(line.text, "train_samples_per_second");
  const auto steps_rate = figure_after(line.text, "train_steps_per_second");
  if (!steps_rate) return {};
  const auto agrees = [&](double steps) {
    return steps >= 1 && std::abs(steps - *steps_rate * seconds) <= last_digit * seconds + 1;
  };
  if (sizes.iterations && agrees(*sizes.iterations)) return sizes.iterations;
  if (samples_rate && sizes.global_batch) {
    const double steps = std::ceil(std::round(*samples_rate * seconds) / *sizes.global_batch);
    return agrees(steps) ? std::optional(steps) : std::nullopt;
  }
  return *steps_rate >= telling ? std::optional(*steps_rate * seconds) : std::nullopt;
}

/// InputError if the batch is not what samples/s over steps/s make, within half a unit of the last
/// of three digits of steps/s.
void check_batch(const LogText& log, const LogLine& line, const LoggedSizes& sizes) {
  const auto samples_rate = figure_after(line.text, "train_samples_per_second");
  const auto steps_rate = figure_after(line.text, "train_steps_per_second");
  if (!samples_rate || steps_rate.value_or(0) < telling || !sizes.global_batch) return;
  const double made = *samples_rate / *steps_rate;
  const double error = made * last_digit / *steps_rate + 0.5;
  if (std::abs(*sizes.global_batch - made) <= error) return;
  throw InputError(log.location(line), "batch",
                   fmt::format("is {:g}, but {:g} samples/s over {:g} steps/s make {:.0f} samples "
                               "a step: one of them is wrong, so that neither is taken",
                               *sizes.global_batch, *samples_rate, *steps_rate, made));
}

/// Step from which the job resumed. The rates of its summary include earlier steps: speed_metrics
/// of transformers/trainer_utils.py divides all steps by the time since the job started.
double resumed_from(const LogText& log, std::vector<LogLine>::const_iterator summary) {
  for (auto line = summary; line != log.lines.begin();) {
    const std::string_view text = (--line)->text;
    if (const auto step = figure_after(text, "Continuing training from global_step")) return *step;
    if (text.find("***** Running training *****") != std::string_view::npos) break;
  }
  return 0;
}

}  // namespace

bool is_trainer_summary(const LogText& log) {
  return std::ranges::any_of(log.lines, has_mark) && !is_progress_bar(log);
}

LoggedRuns read_trainer_summary(const LogText& log, const StepHints& hints) {
  const auto at = std::ranges::find_if(log.lines, has_mark);
  LoggedSizes sizes;  // the last dump before the summary counts
  for (auto line = at; line != log.lines.begin();) take_sizes(*--line, sizes);
  const auto seconds = figure_after(at->text, "train_runtime");
  LoggedSizes known = sizes;
  if (!known.global_batch) known.global_batch = hints.global_batch;
  const auto reached = seconds ? steps_of(*seconds, *at, known) : std::nullopt;
  if (!reached) check_batch(log, *at, known);
  if (!seconds || !reached || !(*seconds / *reached > 0))
    throw InputError(log.location(*at), "train_runtime",
                     "how many steps that was follows neither from train_steps_per_second nor from "
                     "train_samples_per_second and the batch: state --batch");
  const double before = resumed_from(log, at);
  const double steps = *reached - before;
  if (!(steps >= 1))
    throw InputError(log.location(*at), "train_steps_per_second",
                     fmt::format("makes {:g} steps, but the job went on from step {:g}",
                                 std::round(*reached), before));
  LoggedRuns read;
  read.runs.push_back(
      {.sizes = sizes,
       .steps = {{.seconds = *seconds / steps, .steps = std::round(steps), .line = *at}},
       .is_one_figure = true,
       .iteration = std::round(*reached),
       .line = *at});
  read.remarks.push_back(log.remark(
      *at, fmt::format("the mean of a whole run of {:g} steps{}, start and warm-up included: it is "
                       "an upper bound of a step",
                       std::round(steps), before > 0 ? fmt::format(" from {:g} on", before) : "")));
  return read;
}

}  // namespace formats
}  // namespace tofn
