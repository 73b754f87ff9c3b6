#include "sim/measurements/step_format.hpp"

#include <algorithm>
#include <array>

#include "sim/core/file.hpp"
#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"

namespace tofn {
inline namespace measurements {
namespace {

constexpr std::array formats{
    StepFormat{"Megatron-LM (`elapsed time per iteration`)", is_megatron_steps,
               read_megatron_steps},
    StepFormat{"NeMo (`train_step_timing in s`)", is_nemo_steps, read_nemo_steps},
    StepFormat{"MLPerf's MLLOG", is_mllog_steps, read_mllog_steps},
    StepFormat{"a table with the columns batch and step_ms or step_s", is_step_table,
               read_step_table}};

std::string format_names() {
  std::string names;
  for (const StepFormat& format : formats)
    names += (names.empty() ? "" : "; ") + std::string(format.name);
  return names;
}

}  // namespace

std::span<const StepFormat> step_formats() { return formats; }

LoggedSteps& steps_at_batch(LoggedRuns& read, std::optional<double> global_batch,
                            const LogLine& line) {
  for (LoggedSteps& run : read.runs)
    if (run.sizes.global_batch == global_batch) return run;
  read.runs.push_back({.sizes = {.global_batch = global_batch}, .line = line});
  return read.runs.back();
}

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
  const LogText log = cut_into_lines(text, file);
  const auto* const format = std::find_if(formats.begin(), formats.end(),
                                          [&](const StepFormat& each) { return each.fits(log); });
  if (format == formats.end())
    throw InputError(Location{file, 1, 1}, {},
                     "holds no steps in any known format: " + format_names());
  return completed_steps(format->read(log), log, hints);
}

}  // namespace measurements
}  // namespace tofn
