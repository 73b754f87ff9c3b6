#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "sim/measurements/answer_file.hpp"

namespace tofn {
inline namespace answers {

/// A figure that is not what it was.
struct ChangedFigure {
  std::size_t row = 0;  ///< from 1
  std::string figure;
  Value before, now;

  /// Relative; nothing unless both are numbers and the first is not 0.
  std::optional<double> change() const;
};

/// An answer given again.
struct RepeatAnswer {
  Provenance before, now;
  std::vector<std::string> files;      ///< read by either, changed, new or gone
  std::vector<ChangedFigure> changed;  ///< in order of rows
  std::size_t figures = 0;             ///< compared
  std::size_t rows_before = 0, rows_now = 0;
};

/// Rows are compared by their place, figures by name; numbers that agree to nine digits are equal.
RepeatAnswer repeat_answer(const AnswerFile& before, const AnswerFile& now);

}  // namespace answers
}  // namespace tofn
