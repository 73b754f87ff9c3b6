#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/sweep/columns.hpp"
#include "sim/sweep/condition.hpp"
#include "sim/sweep/select.hpp"

namespace tofn {
inline namespace sweep {

/// Points that made no row.
struct SkippedPoints {
  std::uint64_t refused = 0;   ///< their plan breaks a rule, or a value its field's
  std::uint64_t excluded = 0;  ///< by a constraint
  std::string first_refusal;   ///< of the lowest point seen
  std::uint64_t first_refused = 0;
};

/// Makes the rows of points. One per thread.
class RowMaker {
 public:
  RowMaker(const SweepSources&, const RowLayout&);

  /// Lines of CSV of the points from `first` to before `end`; where the sweep selects, of those
  /// that may be among the selected.
  std::string rows(std::uint64_t first, std::uint64_t end);
  /// The final rows, of the points that `rows` let through: worked out again by events, and
  /// selected.
  std::string selected_rows(const std::vector<std::uint64_t>& points);
  const SkippedPoints& left_out() const { return left_out_; }
  /// Of the points that made rows, each sentence once.
  const std::vector<std::string>& substitutions() const { return substitutions_; }

 private:
  struct Test {
    Condition condition;
    std::vector<const Cell*> cells;
    Stage stage = Stage::Plan;
  };
  std::optional<Point> worked_out(std::uint64_t number, bool by_engine);
  void refuse(std::uint64_t number, const char* reason);
  bool passes(const Point&, Stage);
  Value value_of(const Cell&, const Point&) const;
  void append_row(std::string& text, const Point&) const;
  Candidate candidate(const Point&) const;
  Selector selector(std::size_t margin) const;

  const SweepSources& sources_;
  const RowLayout& layout_;
  PointMaker maker_;
  std::vector<Test> tests_;
  std::vector<double> values_;
  mutable Positions positions_;
  SkippedPoints left_out_;
  std::vector<std::string> substitutions_;
};

}  // namespace sweep
}  // namespace tofn
