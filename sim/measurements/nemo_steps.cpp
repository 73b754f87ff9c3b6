// NeMo and Lightning: progress bars that overwrite themselves (`... global_step=19.00,
// consumed_samples=160.0, train_step_timing in s=3.710]`), or a line a step with `key: value`.
#include <algorithm>
#include <cmath>

#include "sim/core/quantity_text.hpp"
#include "sim/measurements/step_format.hpp"

namespace tofn {
inline namespace measurements {
namespace {

constexpr std::string_view time_key = "train_step_timing in s";

/// The word behind the last `key=` or `key: `; absent where the text lacks the key. Its column
/// counts bytes: the blocks that a bar is drawn with stand before the figures.
std::optional<LogWord> value_after(const LogLine& line, std::string_view key) {
  const std::size_t at = line.text.rfind(key);
  if (at == std::string_view::npos) return {};
  const std::size_t start = line.text.find_first_not_of(" :=", at + key.size());
  if (start == std::string_view::npos) return {};
  const std::size_t end = std::min(line.text.find_first_of(", |]\t\r", start), line.text.size());
  return LogWord{line.text.substr(start, end - start), line.column + static_cast<int>(start)};
}

std::optional<double> figure_after(const LogLine& line, std::string_view key) {
  const auto word = value_after(line, key);
  double value = 0;
  if (!word || !parse_number(word->text, value)) return {};
  return value;
}

/// The states that a progress bar went through on one line.
std::vector<LogLine> updates_of(const LogLine& line) {
  std::vector<LogLine> updates;
  std::size_t start = 0;
  while (start <= line.text.size()) {
    const std::size_t end = std::min(line.text.find('\r', start), line.text.size());
    updates.push_back({.text = line.text.substr(start, end - start),
                       .number = line.number,
                       .column = line.column + static_cast<int>(start)});
    start = end + 1;
  }
  return updates;
}

/// Reads one update after the other.
class Updates {
 public:
  Updates(const LogText& log, LoggedRuns& read) : log_(log), read_(read) {}

  void take(const LogLine& update, LoggedSizes& sizes) {
    const auto word = value_after(update, time_key);
    if (!word) {
      take_sizes(update, sizes);
      return;
    }
    const auto step = figure_after(update, "global_step");
    if (step) {
      const Progress now{*step, figure_after(update, "consumed_samples").value_or(0)};
      if (is_under_way_ && now.step <= last_.step) return;  // the bar was drawn again
      if (is_under_way_) take_batch((now.samples - last_.samples) / (now.step - last_.step), sizes);
      last_ = now;
      is_under_way_ = true;
    }
    const double seconds = step_seconds_at(log_, update, *word, time_key, 1);
    steps_at_batch(read_, {}, update).steps.push_back({.seconds = seconds, .line = update});
  }

 private:
  struct Progress {
    double step = 0;
    double samples = 0;  ///< 0 where the log does not count them
  };

  static void take_batch(double batch, LoggedSizes& sizes) {
    constexpr double largest = 1e9;
    if (!sizes.global_batch && batch >= 1 && batch <= largest && batch == std::floor(batch))
      sizes.global_batch = batch;
  }

  const LogText& log_;
  LoggedRuns& read_;
  bool is_under_way_ = false;
  Progress last_;
};

}  // namespace

bool is_nemo_steps(const LogText& log) {
  return log.whole.find(time_key) != std::string_view::npos;
}

LoggedRuns read_nemo_steps(const LogText& log) {
  LoggedRuns read;
  LoggedSizes sizes;
  Updates updates(log, read);
  for (const LogLine& line : log.lines)
    for (const LogLine& update : updates_of(line)) updates.take(update, sizes);
  if (sizes.nodes && sizes.per_node && !sizes.accelerators)
    if (1.0 * *sizes.nodes * *sizes.per_node <= 1e7)
      sizes.accelerators = *sizes.nodes * *sizes.per_node;
  for (LoggedSteps& run : read.runs) run.sizes = sizes;
  return read;
}

}  // namespace measurements
}  // namespace tofn
