#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/formats/text/answer_file.hpp"

namespace tofn {
inline namespace answers {

/// A figure that differs from the earlier answer.
struct ChangedFigure {
  std::size_t row = 0;  ///< number of the row, from 1
  std::string figure;
  Value before, now;

  /// Relative change; absent unless both are numbers and the first is not 0.
  std::optional<double> change() const;
};

/// Comparison of an answer with its repetition.
struct RepeatAnswer {
  Provenance before, now;
  std::vector<std::string> files;      ///< files that either read and that are changed, new or gone
  std::vector<ChangedFigure> changed;  ///< in the order of rows
  std::size_t figures = 0;             ///< number compared
  std::size_t rows_before = 0, rows_now = 0;
};

/// Compares rows by their position and figures by name; numbers that agree to nine digits are
/// equal.
RepeatAnswer repeat_answer(const AnswerFile& before, const AnswerFile& now);

}  // namespace answers
}  // namespace tofn
