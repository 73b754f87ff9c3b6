#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sim/measurements/log_text.hpp"

namespace tofn {
inline namespace measurements {

/// What one line says of the steps until then, whatever the program calls it. Absent: it does not.
struct StepLine {
  std::optional<double> iteration{};
  std::optional<double> iterations{};        ///< that the run shall take
  std::optional<double> passes{};            ///< micro-batches of a replica so far
  std::optional<double> seconds{};           ///< of one step; beside `passes`: of one pass
  std::optional<double> steps_rate{};        ///< steps/s
  std::optional<double> samples{};           ///< trained so far
  std::optional<double> tokens_trained{};    ///< so far
  std::optional<double> global_batch{};      ///< samples a step
  std::optional<double> tokens{};            ///< a step
  std::optional<double> samples_rate{};      ///< samples/s of the job
  std::optional<double> tokens_rate{};       ///< tokens/s of the job
  std::optional<double> tokens_rate_each{};  ///< tokens/s of one accelerator
  std::optional<double> flops_each{};        ///< FLOP/s of one accelerator
  std::optional<double> utilisation{};       ///< 0 to 1: of the peak (MFU)
};

/// A figure and the words beside it.
struct LineFigure {
  std::string_view words;
  std::optional<double> StepLine::*figure;
  double scale = 1;           ///< of one printed unit
  bool words_follow = false;  ///< `3056.36 ms` instead of `time: 3056.36`
};

/// How one program prints its steps. A new one is a row in step_line.cpp.
struct StepDialect {
  std::string_view name;
  std::string_view mark;  ///< only lines with these words tell of a step, or a log with them
  std::span<const LineFigure> figures;
  bool has_loose_lines = false;  ///< whose iteration is in JSON on a line of its own
  /// Words of the line that begins a step whose other figures follow a line each; empty: a step is
  /// a line.
  std::string_view begins{};
  /// Only lines that say a time or a rate tell of a step, and number it or are one object each.
  bool is_measured = false;
};

/// In the order in which they are tried.
std::span<const StepDialect> step_dialects();

/// The dialect that a log is in; nullptr: none.
const StepDialect* step_dialect_of(const LogText&);

/// Whether it tells of a step, or begins one of several lines.
bool is_step_line(const LogLine&, const StepDialect&);

/// Adds what the line says and `StepLine` lacks, and to `rounding` half a unit of each figure's
/// last digit. InputError where what stands behind the words for the seconds of a step is no time.
void take_figures(const LogText&, const LogLine&, const StepDialect&, StepLine&,
                  StepLine& rounding);

/// The number behind the words, with what people write for it: `6,785`, `11.5K`, `561.94ms`.
std::optional<double> figure_after(std::string_view text, std::string_view words);

}  // namespace measurements
}  // namespace tofn
