// tqdm, alone or inside Hugging Face's Trainer, Lightning and others: `  1%|   | 5/500
// [00:12<20:34,  2.49s/it, loss=1.2]`, which overwrites itself. Written to a file (tqdm-loggable,
// inside Levanter): `Progress on:train 5.00it/500it rate:2.5s/it remaining:20:34 elapsed:00:12
// postfix:loss=1.2`.
#include <algorithm>
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
  std::string words{};  ///< before the bar's first number
  double done = 0;
  double total = 0;
  double elapsed = 0;               ///< whole seconds
  std::optional<double> seconds{};  ///< per step, smoothed; absent: `?it/s`
  bool is_of_epoch = false;         ///< the bar covers one epoch: `epoch` of `epochs`
  double epoch = 0, epochs = 0;
};

/// Returns the text up to these words, and removes both; empty if the words are missing.
std::string_view cut(std::string_view& text, std::string_view words) {
  const std::size_t at = text.find(words);
  if (at == std::string_view::npos) return text = {};
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at + words.size());
  return before;
}

/// Parses `12.0kit`, `500` or `1,982.9`; absent if it is no number.
std::optional<double> amount_of(std::string_view text) {
  std::string plain(trimmed(text));
  std::erase(plain, ',');
  if (plain.ends_with("it")) plain.resize(plain.size() - 2);
  double factor = 1;
  for (const auto& [prefix, scale] : {std::pair{'k', 1e3}, {'M', 1e6}, {'G', 1e9}})
    if (plain.ends_with(prefix)) factor = scale;
  if (factor > 1) plain.pop_back();
  double value = 0;
  return parse_number(plain, value) ? std::optional(value * factor) : std::nullopt;
}

/// Parses seconds from `00:12` or `1:02:03`; absent for `2 days, ...`.
std::optional<double> elapsed_of(std::string_view text) {
  constexpr double base = 60;
  double seconds = 0;
  for (bool is_last = false; !is_last;) {
    is_last = text.find(':') == std::string_view::npos;
    const auto part = is_last ? text : cut(text, ":");
    double value = 0;
    if (!is_whole_number(part) || !parse_number(part, value)) return {};
    seconds = seconds * base + value;
  }
  return seconds;
}

/// Parses seconds per step from `2.49s/it` and `12.3it/s`.
std::optional<double> seconds_of(std::string_view rate) {
  const auto before = [&](std::string_view unit) {
    const std::size_t at = rate.find(unit);
    const auto amount = at == rate.npos ? std::nullopt : amount_of(rate.substr(0, at));
    return amount && *amount > 0 ? amount : std::nullopt;
  };
  if (const auto seconds = before("s/it")) return seconds;
  const auto steps = before("it/s");
  return steps ? std::optional(1 / *steps) : std::nullopt;
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
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  parse_number(rest.substr(0, slash), state.epoch);
  if (slash == rest.size() || !parse_number(rest.substr(slash + 1), state.epochs)) state.epochs = 0;
}

std::optional<BarState> state_of(const LogLine& line) {
  std::string_view rest = line.text;
  std::string_view words, done, total, elapsed, rate;
  if (const std::size_t at = rest.find("Progress on:"); at != std::string_view::npos) {
    rest.remove_prefix(at);
    words = cut(rest, " rate:");
    total = words.substr(words.rfind(' ') + 1);
    done = cut(total, "/");
    rate = rest.substr(0, rest.find(' '));
    cut(rest, " elapsed:");
    elapsed = rest.substr(0, rest.find(' '));
  } else {
    words = cut(rest, "%|");
    cut(rest, "| ");
    done = cut(rest, "/");
    total = cut(rest, " [");
    elapsed = cut(rest, "<");
    cut(rest, ", ");
    rate = rest.substr(0, rest.find_first_of(",]"));
  }
  const auto steps = amount_of(done);
  const auto of = amount_of(total);
  const auto seconds = elapsed_of(elapsed);
  if (!steps || !of || !seconds) return {};
  BarState state{.done = *steps, .total = *of, .elapsed = *seconds, .seconds = seconds_of(rate)};
  state.words = trimmed(words.substr(0, words.find_first_of("0123456789")));
  take_epoch(words, state);
  return state;
}

/// States of one bar; bars differ in their total and the words before it.
struct Bar {
  LoggedSteps run{};
  BarState last{};
  double elapsed_before = 0;  ///< seconds of earlier epochs
};

void take_state(const LogLine& line, const BarState& state, const LoggedSizes& sizes, Bar& bar) {
  const bool is_first = bar.run.steps.empty();
  if (is_first) {
    bar.run.sizes = sizes;
    bar.run.line = line;
  }
  const bool is_next_epoch = state.done < bar.last.done && state.elapsed < bar.last.elapsed;
  if (is_next_epoch) bar.elapsed_before += std::exchange(bar.last, {}).elapsed;
  if (!is_first && !is_next_epoch && state.done <= bar.last.done) return;  // redrawn
  const double steps = state.done - bar.last.done;
  bar.last = state;
  if (!state.seconds || !(steps > 0)) return;
  StepLine figures{.iteration = state.done, .iterations = state.total, .seconds = state.seconds};
  if (state.is_of_epoch) {
    // Epochs count from 1 if the bar states their number, which gives the run's end.
    const double before = state.epochs > 0 ? state.epoch - 1 : state.epoch;
    figures.iteration = before * state.total + state.done;
    figures.iterations.reset();
    if (state.epochs > 0) figures.iterations = state.epochs * state.total;
  }
  bar.run.steps.push_back(
      {.seconds = *state.seconds,
       .steps = steps,
       .line = line,
       .figures = figures,
       .clock = TimeStamp{.seconds = bar.elapsed_before + state.elapsed, .has_date = true},
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

}  // namespace

bool is_progress_bar(const LogText& log) {
  return std::ranges::any_of(log.lines, [](const LogLine& line) {
    const auto state = state_of(line);
    return state && state->seconds;
  });
}

LoggedRuns read_progress_bar(const LogText& log, const StepHints&) {
  std::map<std::string, Bar> bars;
  LoggedSizes sizes;
  for (const LogLine& line : log.lines) {
    if (const auto state = state_of(line))
      take_state(line, *state, sizes, bars[fmt::format("{}|{:g}", state->words, state->total)]);
    else
      take_sizes(line, sizes);
  }
  std::erase_if(bars, [](const auto& each) { return each.second.run.steps.empty(); });
  LoggedRuns read;
  if (bars.empty()) return read;
  const auto training = std::ranges::max_element(bars, [&](const auto& a, const auto& b) {
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
