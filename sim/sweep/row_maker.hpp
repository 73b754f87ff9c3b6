#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/sweep/columns.hpp"
#include "sim/sweep/condition.hpp"
#include "sim/sweep/select.hpp"

namespace tofn {
inline namespace sweep {

/// Counts of points that made no row.
struct SkippedPoints {
  /// A count, with the reason of the lowest point.
  struct Reported {
    std::uint64_t count = 0;
    std::uint64_t first = 0;
    std::string why{};

    template <class Why>
    void add(std::uint64_t point, const Why& why_now) {
      if (count++ > 0 && first < point) return;
      first = point;
      why = why_now();
    }
    void add(const Reported& other);
  };
  Reported refused;            ///< by a rule of plans, or by a field that does not take the value
  Reported repeated;           ///< points that differ from others only in values without effect
  std::uint64_t excluded = 0;  ///< by a constraint
  std::uint64_t unfit = 0;     ///< not chosen because they do not fit the memory
  std::uint64_t empty = 0;     ///< rows of `best` without any point

  void add(const SkippedPoints&);
};

/// Makes the rows of points. Each thread has its own.
class RowMaker {
 public:
  RowMaker(const SweepSources&, const RowLayout&);

  /// Lines of CSV of the points from `first` to before `end`. If the sweep takes a best, each row
  /// has only its best point (the range is then of whole rows); if it selects, only points that may
  /// be selected have a row.
  std::string rows(std::uint64_t first, std::uint64_t end);
  /// Final rows of the points that `rows` kept: worked out again by events, and selected.
  std::string selected_rows(const std::vector<std::uint64_t>& points);
  /// Works out as much as every point takes, to time it. Returns true if it may make a row.
  bool try_point(std::uint64_t number);
  /// Works out as much as a row of `best` takes in addition, if this is its best point.
  void try_row(std::uint64_t number);
  const SkippedPoints& left_out() const { return left_out_; }
  /// Number of rows whose plan does not fit the memory. It is known if rows have figures of time.
  std::uint64_t unfit_rows() const { return unfit_rows_; }
  /// Sentences on the substitutions of the points that made rows, each once.
  const std::vector<std::string>& substitutions() const { return substitutions_; }

 private:
  struct Test {
    Condition condition;
    std::vector<const Cell*> cells;
    Stage stage = Stage::Plan;
  };
  enum class By { ClosedForm, Events };
  std::optional<Point> worked_out(std::uint64_t number, const Needs&, By);
  bool passes(const Point&, Stage);
  Value value_of(const Cell&, const Point&) const;
  void append_row(std::string& text, std::uint64_t number, By);
  std::vector<double> goals_of(const Point&, std::span<const Goal>,
                               std::span<const std::size_t> cells) const;
  Candidate candidate(const Point&) const;
  Selector selector(std::size_t margin) const;
  std::optional<std::uint64_t> best_of(std::uint64_t first, std::uint64_t end);
  /// Points that may make rows; `by` is the method of their figures.
  std::vector<std::uint64_t> candidates(std::uint64_t first, std::uint64_t end);
  By by() const { return sources_.sweep().best ? By::Events : By::ClosedForm; }

  const SweepSources& sources_;
  const RowLayout& layout_;
  PointMaker maker_;
  std::vector<Test> tests_;
  std::vector<double> values_;
  mutable Positions positions_;
  SkippedPoints left_out_;
  std::uint64_t unfit_rows_ = 0;
  std::vector<std::string> substitutions_;
};

}  // namespace sweep
}  // namespace tofn
