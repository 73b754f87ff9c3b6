#pragma once

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

/// A figure, and the words that mark it in a line.
struct LineFigure {
  std::string_view words;
  std::optional<double> StepLine::*figure;
  double scale = 1;           ///< of one printed unit
  bool words_follow = false;  ///< `3056.36 ms` instead of `time: 3056.36`
};

/// How one program prints its steps. A new program is a row in step_dialects.cpp.
struct StepDialect {
  std::string_view name;
  std::string_view mark;  ///< words required in a step line, or anywhere in its log
  std::span<const LineFigure> figures;
  bool has_loose_lines = false;  ///< the iteration is in JSON on a line of its own
  /// Words that begin a step whose other figures follow on lines of their own; empty if a step is
  /// one line.
  std::string_view begins{};
  /// True if only lines with a time or rate are steps, each with an iteration or as one object.
  bool is_measured = false;
};

/// Returns all dialects in the order of detection.
std::span<const StepDialect> step_dialects();

/// Returns the dialect of a log; nullptr if none fits.
const StepDialect* step_dialect_of(const LogText&);

/// True if the line is a step, or begins one of several lines.
bool is_step_line(const LogLine&, const StepDialect&);

/// Adds figures of the line that `StepLine` lacks, and half a unit of the last digit of each to
/// `rounding`. InputError if the words for a step's seconds are not followed by a time.
void take_figures(const LogText&, const LogLine&, const StepDialect&, StepLine&,
                  StepLine& rounding);

/// Returns the number after the words, as people write it: `6,785`, `11.5K`, `561.94ms`.
std::optional<double> figure_after(std::string_view text, std::string_view words);

}  // namespace formats
}  // namespace tofn
