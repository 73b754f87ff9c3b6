// tqdm, alone or inside Hugging Face's Trainer, Lightning and others: `  1%|   | 5/500
// [00:12<20:34,  2.49s/it, loss=1.2]`, which overwrites itself. Written to a file (tqdm-loggable,
// inside Levanter): `Progress on:train 5.00it/500it rate:2.5s/it remaining:20:34 elapsed:00:12
// postfix:loss=1.2`.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "sim/core/quantity_text.hpp"
#include "sim/core/words.hpp"
#include "sim/formats/step_logs/step_format.hpp"
#include "sim/formats/step_logs/step_sizes.hpp"

namespace tofn {
inline namespace formats {
namespace {

struct BarState {
  double done = 0;
  double total = 0;
  double elapsed = 0;               ///< whole seconds
  std::optional<double> seconds{};  ///< per step, smoothed; absent: `?it/s`
  bool is_of_epoch = false;         ///< the bar covers one epoch: `epoch` of `epochs`
  double epoch = 0, epochs = 0;
};

std::string without_commas(std::string_view text) {
  std::string plain(text);
  std::erase(plain, ',');
  return plain;
}

/// Parses seconds from `00:12` or `1:02:03`; absent for `2 days, ...`.
std::optional<double> elapsed_of(std::string_view text) {
  double seconds = 0;
  while (true) {
    const std::size_t colon = text.find(':');
    const auto part = text.substr(0, colon);
    double value = 0;
    if (!is_whole_number(part) || !parse_number(part, value)) return {};
    constexpr double base = 60;
    seconds = seconds * base + value;
    if (colon == std::string_view::npos) return seconds;
    text.remove_prefix(colon + 1);
  }
}

/// Parses seconds per step from `2.49s/it` and `12.3it/s`.
std::optional<double> seconds_of(std::string_view rate) {
  const auto number_before = [&](std::string_view unit) -> std::optional<double> {
    const std::size_t at = rate.find(unit);
    double value = 0;
    if (at == std::string_view::npos || !parse_number(trimmed(rate.substr(0, at)), value) ||
        !(value > 0))
      return {};
    return value;
  };
  if (const auto seconds = number_before("s/it")) return seconds;
  if (const auto rate_a_second = number_before("it/s")) return 1 / *rate_a_second;
  return {};
}

/// Reads `Epoch 3:  12` (Lightning, from 0), `Epoch 3/10:  12` and llama-recipes' `Epoch: 3/10,
/// step`.
void take_epoch(std::string_view before, BarState& state) {
  constexpr std::string_view word = "epoch";
  const std::size_t at = lower_case(before).find(word);
  if (at == std::string_view::npos) return;
  std::string_view rest = before.substr(at + word.size());
  if (!rest.starts_with(' ') && !rest.starts_with(": ")) return;
  state.is_of_epoch = true;
  rest.remove_prefix(std::min(rest.find_first_not_of(": "), rest.size()));
  rest = rest.substr(0, rest.find_first_of(":, "));
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos || !parse_number(rest.substr(0, slash), state.epoch) ||
      !parse_number(rest.substr(slash + 1), state.epochs))
    state.epochs = 0;
}

/// Parses `12.0kit`, `500it`, `1,982.9it/s` without its end.
std::optional<double> amount_of(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"kit", 1e3}, {"Mit", 1e6}, {"Git", 1e9}, {"it", 1}}};
  for (const auto& [unit, factor] : units) {
    double value = 0;
    if (text.ends_with(unit) &&
        parse_number(without_commas(text.substr(0, text.size() - unit.size())), value))
      return value * factor;
  }
  return {};
}

/// Returns the text from these words to the next blank.
std::string_view word_after(std::string_view text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = text.substr(at + words.size());
  return rest.substr(0, rest.find(' '));
}

constexpr std::string_view written_bar = "Progress on:";

std::optional<BarState> written_state_of(std::string_view text) {
  const std::size_t rate = text.find(" rate:");
  if (rate == std::string_view::npos) return {};
  const std::string_view before = text.substr(0, rate);
  const std::string_view counts = before.substr(before.rfind(' ') + 1);
  const std::size_t slash = counts.find('/');
  if (slash == std::string_view::npos) return {};
  const auto done = amount_of(counts.substr(0, slash));
  const auto total = amount_of(counts.substr(slash + 1));
  const auto elapsed = elapsed_of(word_after(text, " elapsed:"));
  if (!done || !total || !elapsed) return {};
  return BarState{.done = *done,
                  .total = *total,
                  .elapsed = *elapsed,
                  .seconds = seconds_of(without_commas(word_after(text, " rate:")))};
}

std::optional<BarState> state_of(const LogLine& line) {
  if (const std::size_t at = line.text.find(written_bar); at != std::string_view::npos)
    return written_state_of(line.text.substr(at));
  const std::size_t bar = line.text.find("%|");
  const std::size_t end = bar == std::string_view::npos
                              ? bar
                              : line.text.find("| ", bar + std::string_view("%|").size());
  if (end == std::string_view::npos) return {};
  const std::string_view rest = trimmed(line.text.substr(end + 2));
  const std::size_t slash = rest.find('/');
  const std::size_t open = rest.find(" [");
  const std::size_t less = rest.find('<', open == std::string_view::npos ? 0 : open);
  if (slash == std::string_view::npos || open == std::string_view::npos ||
      less == std::string_view::npos || slash > open)
    return {};
  BarState state;
  const auto elapsed = elapsed_of(rest.substr(open + 2, less - open - 2));
  if (!parse_number(rest.substr(0, slash), state.done) ||
      !parse_number(rest.substr(slash + 1, open - slash - 1), state.total) || !elapsed)
    return {};
  state.elapsed = *elapsed;
  take_epoch(line.text.substr(0, bar), state);
  const std::size_t comma = rest.find(", ", less);
  if (comma != std::string_view::npos)
    state.seconds = seconds_of(
        trimmed(rest.substr(comma + 2, rest.find_first_of(",]", comma + 2) - comma - 2)));
  return state;
}

/// States of one bar; bars differ in their total and the words before it.
struct Bar {
  LoggedSteps run{};
  BarState last{};
};

void take_state(const LogLine& line, const BarState& state, const LoggedSizes& sizes, Bar& bar) {
  const bool is_first = bar.run.steps.empty();
  if (is_first) {
    bar.run.sizes = sizes;
    bar.run.line = line;
  }
  const bool is_next_epoch = state.done < bar.last.done && state.elapsed < bar.last.elapsed;
  if (is_next_epoch) bar.last = {};
  if (!is_first && !is_next_epoch && state.done <= bar.last.done) return;  // redrawn
  const double steps = state.done - bar.last.done;
  bar.last = state;
  if (!state.seconds || !(steps > 0)) return;
  StepLine figures{.iteration = state.done, .iterations = state.total, .seconds = state.seconds};
  // A bar of one epoch does not give the run's end unless it states the number of epochs.
  if (state.is_of_epoch && state.epochs == 0) figures.iterations.reset();
  if (state.epochs > 0) {
    figures.iteration = (state.epoch - 1) * state.total + state.done;
    figures.iterations = state.epochs * state.total;
  }
  bar.run.steps.push_back({.seconds = *state.seconds,
                           .steps = steps,
                           .line = line,
                           .figures = figures,
                           .clock = TimeStamp{.seconds = state.elapsed, .has_date = true},
                           .is_cold = is_next_epoch || state.done <= 1});
}

/// Duration of the whole bar at its pace so far.
double whole_seconds(const Bar& bar) {
  return bar.last.elapsed * bar.last.total / std::max(bar.last.done, 1.0);
}

/// True if `b` is more likely than `a` to be the bar of training steps: its length is the one that
/// the log states, or it has many steps, or the longest duration.
bool is_less_likely(const Bar& a, const Bar& b, std::optional<double> length) {
  constexpr double few = 10;  // typical of files, shards and epochs
  const auto rank = [&](const Bar& bar) {
    return std::tuple(bar.last.total == length, bar.last.total >= few, whole_seconds(bar));
  };
  return rank(a) < rank(b);
}

std::string key_of(const LogLine& line, const BarState& state) {
  const std::size_t written = line.text.find(written_bar);
  const std::string_view before = written == std::string_view::npos
                                      ? line.text.substr(0, line.text.find("%|"))
                                      : line.text.substr(written);
  const std::string_view words = before.substr(0, before.find_first_of("0123456789"));
  return fmt::format("{}|{:g}", trimmed(words), state.total);
}

}  // namespace

bool is_progress_bar(const LogText& log) {
  return std::any_of(log.lines.begin(), log.lines.end(), [](const LogLine& line) {
    const auto state = state_of(line);
    return state && state->seconds;
  });
}

LoggedRuns read_progress_bar(const LogText& log, const StepHints&) {
  std::map<std::string, Bar> bars;
  LoggedSizes sizes;
  for (const LogLine& line : log.lines) {
    if (const auto state = state_of(line))
      take_state(line, *state, sizes, bars[key_of(line, *state)]);
    else
      take_sizes(line, sizes);
  }
  std::erase_if(bars, [](const auto& each) { return each.second.run.steps.empty(); });
  LoggedRuns read;
  if (bars.empty()) return read;
  const auto training =
      std::max_element(bars.begin(), bars.end(), [&](const auto& a, const auto& b) {
        return is_less_likely(a.second, b.second, sizes.iterations);
      });
  for (auto& [key, bar] : bars)
    if (&bar != &training->second)
      read.remarks.push_back(log.remark(
          bar.run.line, fmt::format("a bar of {:g} left out: that of the training counts, of {:g}",
                                    bar.last.total, training->second.last.total)));
  read.runs.push_back(std::move(training->second.run));
  return read;
}

}  // namespace formats
}  // namespace tofn
