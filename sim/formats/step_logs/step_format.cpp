#include "sim/formats/step_logs/step_format.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/formats/step_logs/step_line.hpp"

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

std::string step_format_names() {
  std::string names;
  for (const StepFormat& format : format_rows) {
    names += (names.empty() ? "" : "; ") + std::string(format.name);
    if (format.name != lines_of_steps) continue;
    std::string_view before;  // programs have a row per way of printing
    for (const StepDialect& each : step_dialects())
      if (const std::string_view last = std::exchange(before, each.name); last != each.name)
        names += (last.empty() ? " " : ", ") + std::string(each.name);
  }
  return names;
}

/// True if the log contains arguments of a training.
bool states_sizes(const LogText& log) {
  LoggedSizes sizes;
  for (const LogLine& line : log.lines) take_sizes(line, sizes);
  return sizes.accelerators || sizes.global_batch || sizes.micro_batch || sizes.iterations;
}

/// True if the log has loss lines of Hugging Face's Trainer, which have no time.
bool states_losses(const LogText& log) {
  return std::any_of(log.lines.begin(), log.lines.end(),
                     [](const LogLine& line) { return trimmed(line.text).starts_with("{'loss'"); });
}

const StepFormat* format_of(const LogText& log) {
  const auto* const format = std::find_if(format_rows.begin(), format_rows.end(),
                                          [&](const StepFormat& each) { return each.fits(log); });
  return format == format_rows.end() ? nullptr : format;
}

LoggedRuns read_runs(const LogText& log, const StepHints& hints) {
  const StepFormat* const format = format_of(log);
  if (format == nullptr)
    throw NoSteps(
        Location{log.file, 1, 1}, {},
        states_losses(log)
            ? "has losses of Hugging Face's Trainer and no time of a step: keep the "
              "lines of its progress bar or the last one, with train_runtime, or log a "
              "step_time"
            : (states_sizes(log) ? "states sizes of a training and ends before its first step, "
                                   "or has none in any known format: "
                                 : "holds no steps in any known format: ") +
                  step_format_names());
  LoggedRuns read = format->read(log, hints);
  if (read.format.empty()) read.format = format->name;
  take_end(log, read);
  return read;
}

}  // namespace

double step_seconds_at(const LogText& log, const LogLine& line, const LogWord& word,
                       std::string_view key, double unit) {
  constexpr double longest = 1e6;
  const double seconds = number_at(log, line, word, key) * unit;
  if (!(seconds > 0 && seconds <= longest))
    throw InputError(
        log.location(line, word), key,
        "must be above 0 and at most a million seconds, is '" + shortened(word.text) + "'");
  return seconds;
}

StepReading read_step_log(std::string_view text, const std::string& file, const StepHints& hints) {
  check_text(text, file);
  const std::string plain = without_colours(text);
  const LogText log = cut_into_lines(plain, file);
  return completed_steps(read_runs(log, hints), log, hints);
}

StepLogSurvey survey_step_log(std::string_view text, const std::string& file,
                              const StepHints& hints) {
  check_text(text, file);
  const std::string plain = without_colours(text);
  const LogText log = cut_into_lines(plain, file);
  return surveyed_steps(read_runs(log, hints), log, hints);
}

bool is_step_log(std::string_view text) {
  const std::string plain = without_colours(text);
  return format_of(cut_into_lines(plain, {})) != nullptr;
}

}  // namespace formats
}  // namespace tofn
