// Megatron-LM: ` iteration 20/ 100 | consumed samples: 1280 | elapsed time per iteration (ms):
// 1234.5 |
// ... | global batch size: 64 | ...`, and the dump of its arguments before.
#include "sim/measurements/step_format.hpp"

namespace tofn {
inline namespace measurements {
namespace {

constexpr std::string_view time_key = "elapsed time per iteration (ms):";
constexpr std::string_view batch_key = "global batch size:";

/// The first word after the key, up to the next `|`.
std::optional<LogWord> value_after(const LogLine& line, std::string_view key) {
  const std::size_t at = line.text.find(key);
  if (at == std::string_view::npos) return {};
  LogLine rest = line;
  rest.text = line.text.substr(at + key.size());
  rest.text = rest.text.substr(0, rest.text.find('|'));
  rest.column = line.column + static_cast<int>(at + key.size());  // the line is ASCII up to here
  const auto words = rest.words();
  return words.empty() ? LogWord{rest.text.substr(0, 0), rest.column} : words.front();
}

/// The iteration of `iteration 20/ 100`.
std::optional<int> iteration_of(const LogLine& line) {
  constexpr std::string_view key = "iteration ";
  const std::size_t at = line.text.find(key);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = trimmed(line.text.substr(at + key.size()));
  return parse_count(rest.substr(0, rest.find_first_of("/ |")));
}

std::optional<double> batch_of(const LogText& log, const LogLine& line) {
  const auto word = value_after(line, batch_key);
  if (!word) return {};
  const auto batch = parse_count(word->text);
  if (!batch)
    throw InputError(log.location(line, *word), "global batch size",
                     "must be a whole number from 1, is '" + std::string(word->text) + "'");
  return *batch;
}

}  // namespace

bool is_megatron_steps(const LogText& log) {
  return log.whole.find(time_key) != std::string_view::npos;
}

LoggedRuns read_megatron_steps(const LogText& log) {
  LoggedRuns read;
  LoggedSizes sizes;
  int last = 0;  // an iteration's time is the mean of those since the last line
  for (const LogLine& line : log.lines) {
    const auto word = value_after(line, time_key);
    if (!word) {
      take_sizes(line, sizes);
      continue;
    }
    const double seconds = step_seconds_at(log, line, *word, "elapsed time per iteration", 1e-3);
    const int iteration = iteration_of(line).value_or(last + 1);
    auto batch = batch_of(log, line);
    if (!batch) batch = sizes.global_batch;
    steps_at_batch(read, batch, line)
        .steps.push_back({.seconds = seconds,
                          .steps = iteration > last ? static_cast<double>(iteration - last) : 1.0,
                          .line = line});
    last = iteration;
  }
  for (LoggedSteps& run : read.runs) {
    const auto batch = run.sizes.global_batch;
    run.sizes = sizes;
    run.sizes.global_batch = batch;
  }
  return read;
}

}  // namespace measurements
}  // namespace tofn
