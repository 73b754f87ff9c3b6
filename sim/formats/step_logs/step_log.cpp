// From the text of a log to its measured steps, a stage a function, in this order:
//
//   text            -> lines            cut_into_lines, without launchers' prefixes and colours
//   lines           -> logged runs      runs_of: the first format that fits reads steps with
//   figures logged runs     -> timed runs       timed: sizes of the log and of hints, seconds of
//   each step a timed run     -> steady steps     steady_of: one regime of it, without warm-up and
//   outliers
//   + its sizes     -> a measured step  measured, or surveyed for those who watch a job
//
// A format of `format_rows` is a file of its own. Most programs print a line a step: their steps
// are found by a row of step_dialects.cpp (is_step_line), which step_line.cpp reads into figures
// (take_figures), and printed_steps.cpp gathers into runs: without what other ranks repeat, cut
// where a job began anew or its batch grew. Checks refuse figures that contradict each other.
#include "sim/formats/step_logs/step_log.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sim/core/file.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/formats/step_logs/step_format.hpp"
#include "sim/formats/step_logs/step_line.hpp"
#include "sim/formats/step_logs/step_sizes.hpp"

namespace tofn {
inline namespace formats {
namespace {

constexpr std::string_view lines_of_steps = "lines a step of";

constexpr std::array format_rows{
    StepFormat{"MLPerf's MLLOG", is_mllog_steps, read_mllog_steps},
    StepFormat{lines_of_steps, is_printed_steps, read_printed_steps},
    StepFormat{"the summary of Hugging Face's Trainer (`train_runtime`)", is_trainer_summary,
               read_trainer_summary},
    StepFormat{"a progress bar (tqdm)", is_progress_bar, read_progress_bar},
    StepFormat{"a table with the columns batch and step_ms or step_s", is_step_table,
               read_step_table}};

const StepFormat* format_of(const LogText& log) {
  const auto* const format = std::find_if(format_rows.begin(), format_rows.end(),
                                          [&](const StepFormat& each) { return each.fits(log); });
  return format == format_rows.end() ? nullptr : format;
}

/// Says why a log in no known format holds no steps.
std::string no_steps_text(const LogText& log) {
  if (std::any_of(log.lines.begin(), log.lines.end(),
                  [](const LogLine& line) { return trimmed(line.text).starts_with("{'loss'"); }))
    return "has losses of Hugging Face's Trainer and no time of a step: keep the lines of its "
           "progress bar or the last one, with train_runtime, or log a step_time";
  std::string names;
  for (const StepFormat& format : format_rows) {
    names += (names.empty() ? "" : "; ") + std::string(format.name);
    if (format.name != lines_of_steps) continue;
    std::string_view before;  // programs have a row per way of printing
    for (const StepDialect& each : step_dialects())
      if (const std::string_view last = std::exchange(before, each.name); last != each.name)
        names += (last.empty() ? " " : ", ") + std::string(each.name);
  }
  LoggedSizes sizes;
  for (const LogLine& line : log.lines) take_sizes(line, sizes);
  return (sizes.accelerators || sizes.global_batch || sizes.micro_batch || sizes.iterations
              ? "states sizes of a training and ends before its first step, or has none in any "
                "known format: "
              : "holds no steps in any known format: ") +
         names;
}

/// Lines -> logged runs. NoSteps if no format fits.
LoggedRuns runs_of(const LogText& log, const StepHints& hints) {
  const StepFormat* const format = format_of(log);
  if (format == nullptr) throw NoSteps(Location{log.file, 1, 1}, {}, no_steps_text(log));
  LoggedRuns read = format->read(log, hints);
  if (read.format.empty()) read.format = format->name;
  if (read.runs.empty() || read.runs.back().steps.empty()) return read;
  LoggedSteps& last = read.runs.back();
  if (last.ended.empty()) last.ended = end_of_run(log, last.steps.back().line);
  return read;
}

/// Logged runs -> timed runs: those that have steps. A run without any time says why it is unknown.
LoggedRuns timed(LoggedRuns read, const LogText& log, const StepHints& hints) {
  std::erase_if(read.runs, [](const LoggedSteps& run) { return run.steps.empty(); });
  if (read.runs.empty()) throw NoSteps({.file = log.file}, {}, "holds no time of a step");
  for (LoggedSteps& run : read.runs) {
    apply_hints(log, run.line, hints, run.sizes);
    check_printed_batch(log, run);
    derive_sizes(log, run, read.remarks);
    settle_times(run);
  }
  return read;
}

/// Steady steps of a run or of one of its regimes, which are in order if there are several.
struct SteadyRun {
  SteadySteps steady{};
  std::vector<StepRegime> regimes{};
};

std::size_t taken_index(const std::vector<StepRegime>& regimes, RegimeTaken taken) {
  if (taken == RegimeTaken::First) return 0;
  if (taken == RegimeTaken::Last) return regimes.size() - 1;
  const auto longest =
      std::max_element(regimes.begin(), regimes.end(),
                       [](const StepRegime& a, const StepRegime& b) { return a.steps < b.steps; });
  return static_cast<std::size_t>(longest - regimes.begin());
}

/// A timed run -> its steady steps, with remarks on what was left out.
SteadyRun steady_of(LoggedSteps run, const LogText& log, RegimeTaken taken,
                    std::vector<std::string>& remarks) {
  SteadyRun found;
  if (run.is_one_figure) {
    found.steady.seconds = run.steps.front().seconds;
    found.steady.spread = run.spread.value_or(0);
    found.steady.steps = run.steps.front().steps;
    return found;
  }
  std::size_t index = 0;
  if (const auto parts = regimes_of(run.steps); parts.size() > 1) {
    for (const auto& part : parts) {
      const SteadySteps steady = steady_steps(part, !found.regimes.empty());
      found.regimes.push_back({.step = Seconds{steady.seconds},
                               .steps = steady.steps,
                               .from = part.front().figures.iteration,
                               .to = part.back().figures.iteration});
    }
    index = taken_index(found.regimes, taken);
    remarks.push_back(log.remark(
        parts[1].front().line,
        fmt::format("WARNING: the steps turned: {}; the {} of these is taken, and no mean (`tofn "
                    "calibrate --steps --regime` takes another)",
                    regimes_text(found.regimes), name_in(regimes_taken, taken))));
    run.steps = {parts[index].begin(), parts[index].end()};
  }
  const LogLine& first = run.steps.front().line;
  found.steady = steady_steps(run.steps, index > 0);
  check_steps(log, run, found.steady);
  const std::string batch =
      run.sizes.global_batch ? fmt::format("batch {:g}: ", *run.sizes.global_batch) : "";
  if (found.steady.warm_up > 0)
    remarks.push_back(log.remark(
        first, fmt::format("{}the first {} of {} times left out as warm-up (until one is "
                           "within {:g} % of the second half's median)",
                           batch, found.steady.warm_up, run.steps.size(), 100 * warm_band)));
  if (const std::string text = unsettled_text(run.steps, found.steady); !text.empty())
    remarks.push_back(log.remark(first, batch + text));
  if (const auto& outliers = found.steady.outliers; !outliers.empty())
    remarks.push_back(
        log.remark(outliers.front().line, outliers_text(found.steady, run.steps.size())));
  return found;
}

/// A timed run, its steady steps and sizes -> a measured step.
MeasuredStep measured(LoggedSteps run, const LogText& log, const StepHints& hints,
                      StepReading& reading, std::vector<std::string>& unstated) {
  if (!run.unknown.empty()) throw InputError(log.location(run.line), "step", run.unknown);
  MeasuredStep step = sized_step(log, run, unstated);
  std::vector<double> rates;
  for (const LoggedStep& each : run.steps)
    if (each.figures.flops_each) rates.push_back(*each.figures.flops_each);
  if (!rates.empty()) step.rate_each = FlopsPerSecond{median(rates)};
  auto [steady, regimes] = steady_of(std::move(run), log, hints.regime, reading.remarks);
  constexpr double most_steps = 1e9;
  step.step = Seconds{steady.seconds};
  step.spread = steady.spread;
  step.steps = static_cast<int>(std::clamp(steady.steps, 1.0, most_steps));
  step.regimes = std::move(regimes);
  return step;
}

/// A timed run and its steady steps, where it has a time -> its survey.
StepSurvey surveyed(LoggedSteps run, const LogText& log, const StepHints& hints,
                    StepLogSurvey& survey) {
  StepSurvey one = survey_of(run);
  if (!run.unknown.empty()) return one;
  auto [steady, regimes] = steady_of(std::move(run), log, hints.regime, survey.remarks);
  one.step = Seconds{steady.seconds};
  one.spread = steady.spread;
  one.steps = steady.steps;
  one.regimes = std::move(regimes);
  return one;
}

/// Returns `the log does not say --tp and --cp: 1 is taken`.
std::string unstated_text(const std::vector<std::string>& options) {
  std::string text;
  for (std::size_t i = 0; i < options.size(); ++i)
    text += (i == 0 ? "" : i + 1 < options.size() ? ", " : " and ") + options[i];
  return fmt::format("the log does not say {}: 1 is taken", text);
}

/// Checks the text, cuts it into lines, and returns what `read` makes of them.
template <class Read>
auto of_lines(std::string_view text, const std::string& file, const Read& read) {
  check_text(text, file);
  const std::string plain = without_colours(text);
  return read(cut_into_lines(plain, file));
}

}  // namespace

StepReading completed_steps(LoggedRuns read, const LogText& log, const StepHints& hints) {
  LoggedRuns runs = timed(std::move(read), log, hints);
  const LogLine first = runs.runs.front().line;
  StepReading reading{.remarks = std::move(runs.remarks)};
  std::vector<std::string> unstated;
  for (LoggedSteps& run : runs.runs)
    reading.steps.push_back(measured(std::move(run), log, hints, reading, unstated));
  if (!unstated.empty()) reading.remarks.push_back(log.remark(first, unstated_text(unstated)));
  return reading;
}

StepReading read_step_log(std::string_view text, const std::string& file, const StepHints& hints) {
  return of_lines(text, file, [&](const LogText& log) {
    return completed_steps(runs_of(log, hints), log, hints);
  });
}

StepLogSurvey survey_step_log(std::string_view text, const std::string& file,
                              const StepHints& hints) {
  return of_lines(text, file, [&](const LogText& log) {
    LoggedRuns runs = timed(runs_of(log, hints), log, hints);
    StepLogSurvey survey{.warnings = slow_warnings(log), .remarks = std::move(runs.remarks)};
    for (LoggedSteps& run : runs.runs) {
      survey.runs.push_back(surveyed(std::move(run), log, hints, survey));
      survey.runs.back().format = runs.format;
    }
    return survey;
  });
}

bool is_step_log(std::string_view text) {
  const std::string plain = without_colours(text);
  return format_of(cut_into_lines(plain, {})) != nullptr;
}

std::string regimes_text(const std::vector<StepRegime>& regimes) {
  std::string text;
  for (const StepRegime& each : regimes)
    text += fmt::format("{}{}{} ({:g} steps)", text.empty() ? "" : ", then ", to_text(each.step, 4),
                        each.from && each.to
                            ? fmt::format(" in iterations {:g} to {:g}", *each.from, *each.to)
                            : "",
                        each.steps);
  return text;
}

}  // namespace formats
}  // namespace tofn
