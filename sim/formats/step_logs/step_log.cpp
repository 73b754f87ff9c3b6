// From the text of a log to its measured steps: the stages in their order, a function each.
//
//   text          -> lines          of_lines: without colours and prefixes of launchers
//   lines         -> logged runs    logged: the first of `format_rows` that fits reads them
//   logged runs   -> timed runs     timed: all sizes, and the seconds of each step
//   a timed run   -> steady steps   steady: of one regime, without warm-up, checked
//   a timed run   -> measured step  measured: steady steps and sizes; or surveyed
//
// Most programs print a line a step, which is logged in stages of its own:
//
//   lines         -> step lines     is_step_line, by a row of step_dialects.cpp
//   step line     -> figures        take_figures (step_line.cpp), in the units of that row
//   figures       -> printed steps  StepLineReader (printed_steps.cpp): all lines of a step
//   printed steps -> logged runs    PrintedRuns: each step once, a run for each job and batch
#include "sim/formats/step_logs/step_log.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "sim/core/file.hpp"
#include "sim/core/name_table.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
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
  const auto* const format =
      std::ranges::find_if(format_rows, [&](const StepFormat& each) { return each.fits(log); });
  return format == format_rows.end() ? nullptr : format;
}

/// Says what a log of losses lacks; empty for other texts.
std::string losses_text(const LogText& log) {
  const auto is_loss = [](const LogLine& line) {
    return trimmed(line.text).starts_with("{'loss'");
  };
  if (std::ranges::none_of(log.lines, is_loss)) return {};
  return "has losses of Hugging Face's Trainer and no time of a step: keep the lines of its "
         "progress bar or the last one, with train_runtime, or log a step_time";
}

/// Says why a log in no known format holds no steps.
std::string no_steps_text(const LogText& log) {
  if (std::string losses = losses_text(log); !losses.empty()) return losses;
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

std::size_t taken_index(const std::vector<StepRegime>& regimes, RegimeTaken taken) {
  if (taken == RegimeTaken::First) return 0;
  if (taken == RegimeTaken::Last) return regimes.size() - 1;
  const auto longest = std::ranges::max_element(regimes, {}, &StepRegime::steps);
  return static_cast<std::size_t>(longest - regimes.begin());
}

/// The stages after the lines, with remarks on what they leave out or assume.
class StepStages {
 public:
  StepStages(const LogText& log, const StepHints& hints) : log_(log), hints_(hints) {}

  /// Lines -> logged runs. NoSteps if no format fits.
  LoggedRuns logged() const {
    const StepFormat* const format = format_of(log_);
    if (format == nullptr) throw NoSteps(Location{log_.file, 1, 1}, {}, no_steps_text(log_));
    LoggedRuns read = format->read(log_, hints_);
    if (read.format.empty()) read.format = format->name;
    if (read.runs.empty() || read.runs.back().steps.empty()) return read;
    LoggedSteps& last = read.runs.back();
    if (!last.end.is_known()) last.end = end_of_job(log_, last.steps.back().line.number);
    return read;
  }

  /// Logged runs -> timed runs: those with steps. A run without any time says why it is unknown.
  LoggedRuns timed(LoggedRuns read) {
    std::erase_if(read.runs, [](const LoggedSteps& run) { return run.steps.empty(); });
    if (read.runs.empty()) throw NoSteps({.file = log_.file}, {}, "holds no time of a step");
    remarks_ = std::move(read.remarks);
    for (const LogWarning& each : slow_warnings(log_))
      remarks_.push_back(fmt::format("{}:{}: WARNING of '{}' on {}: {}", log_.file, each.line,
                                     each.words, counted(each.count, "line"), each.meaning));
    if (const JobEnd& end = read.runs.back().end; end.is_failure)
      remarks_.push_back(failure_remark(log_, end, "step"));
    for (LoggedSteps& run : read.runs) {
      apply_hints(log_, run.line, hints_, run.sizes);
      check_printed_batch(log_, run);
      derive_sizes(log_, run, remarks_);
      settle_times(run);
    }
    return read;
  }

  /// A timed run -> its steady steps. InputError if they contradict other figures of their lines.
  SteadySteps steady(LoggedSteps run) {
    if (run.is_one_figure)
      return {.seconds = run.steps.front().seconds,
              .spread = run.spread.value_or(0),
              .steps = run.steps.front().steps};
    std::vector<StepRegime> regimes;
    const bool goes_on = take_regime(run, regimes);
    SteadySteps found = steady_steps(run.steps, goes_on);
    found.regimes = std::move(regimes);
    check_steps(log_, run, found);
    remark_left_out(run, found);
    return found;
  }

  /// A timed run -> its measured step. InputError if it has no time, or lacks a required size.
  MeasuredStep measured(LoggedSteps run) {
    if (!run.unknown.empty()) throw InputError(log_.location(run.line), "step", run.unknown);
    MeasuredStep step = sized_step(log_, run, unstated_);
    std::vector<double> rates;
    for (const LoggedStep& each : run.steps)
      if (each.figures.flops_each) rates.push_back(*each.figures.flops_each);
    if (!rates.empty()) step.rate_each = FlopsPerSecond{median(rates)};
    step.is_one_figure = run.is_one_figure;
    SteadySteps found = steady(std::move(run));
    constexpr double most_steps = 1e9;
    step.step = Seconds{found.seconds};
    step.spread = found.spread;
    step.steps = static_cast<int>(std::clamp(found.steps, 1.0, most_steps));
    step.regimes = std::move(found.regimes);
    return step;
  }

  /// A timed run -> its survey, with the steady steps if it has a time.
  StepSurvey surveyed(LoggedSteps run) {
    StepSurvey survey = survey_of(run);
    if (!run.unknown.empty()) return survey;
    SteadySteps found = steady(std::move(run));
    survey.step = Seconds{found.seconds};
    survey.spread = found.spread;
    survey.steps = found.steps;
    survey.outliers = found.cost;
    survey.regimes = std::move(found.regimes);
    return survey;
  }

  /// Returns the remarks of all stages; `first` is the line for those on the whole log.
  std::vector<std::string> remarks(const LogLine& first) {
    if (!unstated_.empty())
      remarks_.push_back(log_.remark(
          first, fmt::format("the log does not say {}: 1 is taken", list_text(unstated_, "and"))));
    return std::move(remarks_);
  }

 private:
  /// Cuts the run to one of its regimes, if its level changes; true if that is not the first.
  bool take_regime(LoggedSteps& run, std::vector<StepRegime>& regimes) {
    const auto parts = regimes_of(run.steps);
    if (parts.size() < 2) return false;
    for (const auto& part : parts) {
      const SteadySteps steady = steady_steps(part, !regimes.empty());
      regimes.push_back({.step = Seconds{steady.seconds},
                         .steps = steady.steps,
                         .from = part.front().figures.iteration,
                         .to = part.back().figures.iteration});
    }
    remarks_.push_back(log_.remark(
        parts[1].front().line,
        fmt::format("WARNING: the steps turned: {}; the {} of these is taken, and no mean (`tofn "
                    "calibrate --steps --regime` takes another)",
                    regimes_text(regimes), name_in(regimes_taken, hints_.regime))));
    const std::size_t index = taken_index(regimes, hints_.regime);
    run.steps = {parts[index].begin(), parts[index].end()};
    return index > 0;
  }

  void remark_left_out(const LoggedSteps& run, const SteadySteps& steady) {
    const LogLine& first = run.steps.front().line;
    const std::string batch =
        run.sizes.global_batch ? fmt::format("batch {:g}: ", *run.sizes.global_batch) : "";
    if (steady.warm_up > 0)
      remarks_.push_back(log_.remark(
          first, fmt::format("{}the first {} of {} times left out as warm-up (until one is "
                             "within {:g} % of the second half's median)",
                             batch, steady.warm_up, run.steps.size(), 100 * warm_band)));
    if (const std::string text = unsettled_text(run.steps, steady); !text.empty())
      remarks_.push_back(log_.remark(first, batch + text));
    if (!steady.outliers.empty())
      remarks_.push_back(
          log_.remark(steady.outliers.front().line, outliers_text(steady, run.steps.size())));
  }

  const LogText& log_;
  const StepHints& hints_;
  std::vector<std::string> remarks_;
  std::vector<std::string> unstated_;  ///< options of sizes that are unknown, so that 1 is taken
};

/// Text -> lines -> the answer that `read` makes of them.
template <class Read>
auto of_lines(std::string_view text, const std::string& file, const Read& read) {
  check_text(text, file);
  const std::string plain = without_colours(text);
  return read(cut_into_lines(plain, file));
}

}  // namespace

StepReading completed_steps(LoggedRuns read, const LogText& log, const StepHints& hints) {
  StepStages stages(log, hints);
  LoggedRuns runs = stages.timed(std::move(read));
  const LogLine first = runs.runs.front().line;
  StepReading reading;
  for (LoggedSteps& run : runs.runs) reading.steps.push_back(stages.measured(std::move(run)));
  reading.remarks = stages.remarks(first);
  return reading;
}

StepReading read_step_log(std::string_view text, const std::string& file, const StepHints& hints) {
  return of_lines(text, file, [&](const LogText& log) {
    return completed_steps(StepStages(log, hints).logged(), log, hints);
  });
}

StepLogSurvey survey_step_log(std::string_view text, const std::string& file,
                              const StepHints& hints) {
  return of_lines(text, file, [&](const LogText& log) {
    StepStages stages(log, hints);
    LoggedRuns runs = stages.timed(stages.logged());
    const LogLine first = runs.runs.front().line;
    StepLogSurvey survey{.warnings = slow_warnings(log)};
    for (LoggedSteps& run : runs.runs) {
      survey.runs.push_back(stages.surveyed(std::move(run)));
      survey.runs.back().format = runs.format;
    }
    survey.remarks = stages.remarks(first);
    return survey;
  });
}

bool is_step_log(std::string_view text) {
  const std::string plain = without_colours(text);
  return format_of(cut_into_lines(plain, {})) != nullptr;
}

std::string losses_without_times(std::string_view text) {
  const std::string plain = without_colours(text);
  const LogText log = cut_into_lines(plain, {});
  return format_of(log) == nullptr ? losses_text(log) : std::string();
}

std::string regimes_text(const std::vector<StepRegime>& regimes) {
  std::string text;
  for (const StepRegime& each : regimes)
    text += fmt::format(
        "{}{}{} ({:g} step{})", text.empty() ? "" : ", then ", to_text(each.step, 4),
        each.from && each.to ? fmt::format(" in iterations {:g} to {:g}", *each.from, *each.to)
                             : "",
        each.steps, each.steps == 1 ? "" : "s");
  return text;
}

}  // namespace formats
}  // namespace tofn
