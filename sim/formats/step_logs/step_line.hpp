#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "sim/formats/text/log_text.hpp"

namespace tofn {
inline namespace formats {

/// Figures of one line about the steps until then, whatever the program calls them; absent if not
/// printed.
struct StepLine {
  std::optional<double> iteration{};
  std::optional<double> iterations{};        ///< total of the run
  std::optional<double> passes{};            ///< micro-batches per replica so far
  std::optional<double> seconds{};           ///< per step; beside `passes`: per pass
  std::optional<double> steps_rate{};        ///< steps/s
  std::optional<double> samples{};           ///< trained so far
  std::optional<double> tokens_trained{};    ///< so far
  std::optional<double> global_batch{};      ///< samples per step
  std::optional<double> tokens{};            ///< tokens per step
  std::optional<double> samples_rate{};      ///< samples/s of the job
  std::optional<double> tokens_rate{};       ///< tokens/s of the job
  std::optional<double> tokens_rate_each{};  ///< tokens/s of one accelerator
  std::optional<double> flops_each{};        ///< FLOP/s of one accelerator
  std::optional<double> utilisation{};       ///< 0 to 1: of the peak (MFU)
};

/// A unit of a dialect's row: the figure that is printed in it, and its size.
struct FigureUnit {
  std::string_view name;
  std::optional<double> StepLine::*figure;
  double scale = 1;
};
inline constexpr std::array figure_units{FigureUnit{"step", &StepLine::iteration},
                                         FigureUnit{"steps", &StepLine::iterations},
                                         FigureUnit{"passes", &StepLine::passes},
                                         FigureUnit{"s", &StepLine::seconds},
                                         FigureUnit{"ms", &StepLine::seconds, 1e-3},
                                         FigureUnit{"steps/s", &StepLine::steps_rate},
                                         FigureUnit{"samples", &StepLine::samples},
                                         FigureUnit{"tokens", &StepLine::tokens_trained},
                                         FigureUnit{"samples/step", &StepLine::global_batch},
                                         FigureUnit{"tokens/step", &StepLine::tokens},
                                         FigureUnit{"samples/s", &StepLine::samples_rate},
                                         FigureUnit{"tokens/s", &StepLine::tokens_rate},
                                         FigureUnit{"tokens/s/gpu", &StepLine::tokens_rate_each},
                                         FigureUnit{"FLOP/s/gpu", &StepLine::flops_each},
                                         FigureUnit{"TFLOP/s/gpu", &StepLine::flops_each, 1e12},
                                         FigureUnit{"peak", &StepLine::utilisation},
                                         FigureUnit{"%peak", &StepLine::utilisation, 1e-2}};

/// A figure, and the words that mark it in a line.
struct LineFigure {
  std::string_view words{};
  std::optional<double> StepLine::*figure = nullptr;
  double scale = 1;           ///< of one printed unit
  bool words_follow = false;  ///< `3056.36 ms` instead of `time: 3056.36`
};

/// Figures that a line needs to be a step.
enum class StepNeeds {
  First,         ///< the first figure of the row, which is the iteration
  FirstOrMark,   ///< that or the number after the mark: JSON whose figures have lines of their own
  TimeOrObject,  ///< an iteration with a time or rate, or an object `{...}` with a time
};

/// How one program prints its steps. A new program is a row in step_dialects.cpp.
struct StepDialect {
  std::string_view name{};
  std::string_view mark{};  ///< words required in a step line, or anywhere in its log
  StepNeeds needs = StepNeeds::First;
  /// Words that begin a step whose other figures follow on lines of their own; empty if a step is
  /// one line.
  std::string_view begins{};
  /// Words of a line with the mark that is an evaluation and no step; empty if none is.
  std::string_view evaluates{};

  /// Makes a row of a `line` as the program prints it, without what is not read: words and the unit
  /// of their figure in braces, such as `iter {step}  time {ms}  {tokens/s} tok/s`, separated by
  /// two blanks. A unit that is not among `figure_units` does not compile.
  consteval StepDialect(std::string_view name, std::string_view mark, std::string_view line,
                        std::string_view begins = {}, StepNeeds needs = StepNeeds::First,
                        std::string_view evaluates = {})
      : name(name), mark(mark), needs(needs), begins(begins), evaluates(evaluates) {
    each_part(line, "  ", [&](std::string_view each) { figures_.at(count_++) = figure_of(each); });
  }
  constexpr std::span<const LineFigure> figures() const { return {figures_.data(), count_}; }

 private:
  static constexpr LineFigure figure_of(std::string_view printed) {
    const std::size_t open = printed.find('{');
    const std::size_t close = printed.find('}');
    for (const FigureUnit& unit : figure_units)
      if (unit.name == printed.substr(open + 1, close - open - 1))
        return {.words = open == 0                  ? printed.substr(close + 1)
                         : printed[open - 1] == ' ' ? printed.substr(0, open - 1)
                                                    : printed.substr(0, open),
                .figure = unit.figure,
                .scale = unit.scale,
                .words_follow = open == 0};
    throw "no unit in braces";
  }

  std::array<LineFigure, 32> figures_{};
  std::size_t count_ = 0;
};

/// Returns all dialects in the order of detection.
std::span<const StepDialect> step_dialects();

/// Returns the dialect of a log; nullptr if none fits.
const StepDialect* step_dialect_of(const LogText&);

/// True if the line is an evaluation, which lengthens the time between the steps around it.
bool is_evaluation_line(const LogLine&, const StepDialect&);

/// True if the line is a step, or begins one of several lines.
bool is_step_line(const LogLine&, const StepDialect&);

/// Adds figures of the line that `StepLine` lacks, and half a unit of the last digit of each to
/// `rounding`. InputError if the words for a step's seconds are not followed by a time.
void take_figures(const LogText&, const LogLine&, const StepDialect&, StepLine&,
                  StepLine& rounding);

/// True at the comma of a number such as `262,144`.
bool is_thousands_comma(std::string_view text, std::size_t at);

/// Returns the number after the words, as people write it: `6,785`, `11.5K`, `561.94ms`.
std::optional<double> figure_after(std::string_view text, std::string_view words);

}  // namespace formats
}  // namespace tofn
