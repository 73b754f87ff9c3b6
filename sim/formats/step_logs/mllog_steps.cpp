// MLPerf's logs, as steps of training and as files of results.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/step_logs/mllog_run.hpp"
#include "sim/formats/step_logs/step_format.hpp"
#include "sim/formats/step_logs/step_sizes.hpp"

namespace tofn {
inline namespace formats {
namespace {

/// InputError unless the size is a whole number from 1 to 10^9.
void check_size(const LogText& log, const LogLine& line, const MllogEvent& event) {
  constexpr double largest = 1e9;
  if (event.key != "global_batch_size" && event.key != "gradient_accumulation_steps") return;
  const auto value = event.number;
  if (value && *value >= 1 && *value <= largest && *value == std::floor(*value)) return;
  const std::string figures = value ? fmt::format("{:g}", *value) : event.text;
  throw InputError(log.location(line), event.key,
                   "must be a whole number from 1, is '" + shortened(figures) + "'");
}

MllogRun run_of(const LogText& log, LoggedSizes& sizes, LoggedRuns& read) {
  MllogRun run;
  for (const LogLine& line : log.lines) {
    if (!has_mllog_mark(line.text)) {
      take_sizes(line, sizes);
      continue;
    }
    const auto event = parse_mllog(line.text);
    if (!event) {
      read.remarks.push_back(log.remark(line, "left out: no JSON with a key after :::MLLOG"));
      continue;
    }
    check_size(log, line, *event);
    take_event(*event, line.number, run);
  }
  return run;
}

/// Takes sizes of the events, which override dumped ones.
void override_sizes(const MllogRun& run, const LogText& log, LoggedSizes& sizes, LoggedRuns& read) {
  constexpr double most_accumulation = 1e6;
  if (run.global_batch) sizes.global_batch = run.global_batch;
  if (run.gradient_accumulation)
    sizes.gradient_accumulation =
        static_cast<int>(std::min(*run.gradient_accumulation, most_accumulation));
  sizes.model.benchmark = run.benchmark;
  sizes.platform = run.platform;
  if (sizes.accelerators || !run.local_batch || !run.global_batch) return;
  const double ranks =
      *run.global_batch / (*run.local_batch * run.gradient_accumulation.value_or(1));
  constexpr double most = 1e7;
  if (ranks < 1 || ranks > most || ranks != std::floor(ranks)) return;
  sizes.accelerators = static_cast<int>(ranks);
  read.remarks.push_back(log.remark(
      log.lines.front(), fmt::format("{:g} accelerators: the global over the local batch", ranks)));
}

LogLine line_at(const LogText& log, int number) {
  for (const LogLine& line : log.lines)
    if (line.number == number) return line;
  return log.lines.front();
}

constexpr std::size_t longest_line = 1'000'000;

/// Reads a line into the buffer, without its line break. What is beyond the longest line is
/// skipped, and the line counts as damaged. Absent at the end of the file.
struct ReadLine {
  std::string_view text{};
  bool is_damaged = false;
};
std::optional<ReadLine> next_line(std::ifstream& file, std::string& buffer, long long& bytes) {
  buffer.resize(longest_line + 1);
  file.getline(buffer.data(), static_cast<std::streamsize>(buffer.size()));
  const auto count = static_cast<std::size_t>(file.gcount());
  if (count == 0 && !file) return {};
  bytes += file.gcount();
  ReadLine line{.is_damaged = file.fail() && !file.eof()};
  line.text = std::string_view(buffer).substr(0, count - (file ? 1 : 0));
  if (!line.is_damaged) return line;
  file.clear();
  file.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  bytes += file.gcount();
  return line;
}

/// Reads a precision from `FP8=True`, `fp8: true`, `precision: bf16-mixed`.
void take_precision(std::string_view line, std::string& precision) {
  const std::string text = lower_case(line.substr(0, std::min<std::size_t>(line.size(), 400)));
  for (const char* word : {"fp8=true", "fp8: true", "fp8=1", "'fp8': true"})
    if (text.find(word) != std::string::npos) precision = "fp8";
  if (!precision.empty()) return;
  for (const char* word : {"precision: bf16", "precision=bf16", "--bf16"})
    if (text.find(word) != std::string::npos) precision = "bf16";
}

}  // namespace

bool is_mllog_steps(const LogText& log) { return has_mllog_mark(log.whole); }

LoggedRuns read_mllog_steps(const LogText& log, const StepHints& hints) {
  LoggedRuns read;
  LoggedSizes sizes;
  const MllogRun run = run_of(log, sizes, read);
  if (run.begins_again)
    throw InputError({.file = log.file}, "run_start",
                     "stands again after run_stop: these are several runs, give each its own file");
  override_sizes(run, log, sizes, read);
  const auto found = steps_of(run, sizes.accelerators ? sizes.accelerators : hints.accelerators);
  if (!found.contradiction.empty())
    throw InputError(log.location(log.lines.front()), "throughput", found.contradiction);
  if (found.steps.empty())
    throw InputError(
        {.file = log.file}, {},
        fmt::format("{}{}",
                    sizes.global_batch
                        ? "MLLOG lines, but none from which a step's time follows: needed are "
                          "train_step_time or throughput in tracked_stats, or samples_count at "
                          "block_start and block_stop"
                        : "MLLOG lines without global_batch_size, which a step's time follows from",
                    run.is_complete() ? "" : "; it breaks off before run_stop: is it truncated?"));
  LoggedSteps steps{.sizes = sizes, .line = log.lines.front()};
  const MllogProgress progress = progress_of(run, found);
  steps.iteration = progress.done;
  if (progress.most && !sizes.iterations) {
    steps.sizes.iterations = progress.most;
    steps.sizes.length_from = progress.most_from;
  }
  if (run.run_stop) steps.end.words = run.status.empty() ? "run_stop" : "run_stop, " + run.status;
  for (const MllogInterval& each : found.steps) {
    const LogLine line = line_at(log, each.line);
    if (!is_step_time(each.seconds))
      throw InputError(log.location(line), "tracked_stats",
                       "the time of a step must be above 0 and at most a million seconds");
    steps.steps.push_back({.seconds = each.seconds, .steps = each.steps, .line = line});
  }
  if (!found.remark.empty())
    read.remarks.push_back(log.remark(steps.steps.front().line, found.remark));
  read.runs.push_back(std::move(steps));
  return read;
}

MlperfLog scan_mlperf_log(const std::filesystem::path& path) {
  MlperfLog log;
  std::ifstream file(path, std::ios::binary);
  std::string buffer;
  for (int number = 1; const auto line = next_line(file, buffer, log.bytes); ++number) {
    if (has_mllog_mark(line->text)) {
      const auto event = line->is_damaged ? std::nullopt : parse_mllog(line->text);
      if (event)
        take_event(*event, number, log.run);
      else
        ++log.run.damaged;
    } else if (!log.run.run_start) {
      take_sizes({.text = line->text, .number = number}, log.sizes);
      if (log.precision.empty()) take_precision(line->text, log.precision);
    }
  }
  if (!file.is_open() || file.bad()) throw InputError({path.string()}, "", "cannot be read");
  return log;
}

}  // namespace formats
}  // namespace tofn
