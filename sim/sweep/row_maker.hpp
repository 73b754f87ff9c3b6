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

/// Points that made no row.
struct SkippedPoints {
  /// With why the lowest of them was.
  struct Told {
    std::uint64_t count = 0;
    std::uint64_t first = 0;
    std::string why{};

    template <class Why>
    void add(std::uint64_t point, const Why& why_now) {
      if (count++ > 0 && first < point) return;
      first = point;
      why = why_now();
    }
    void add(const Told& other);
  };
  Told refused;                ///< their plan breaks a rule, or a value its field's
  Told repeated;               ///< they differ from others in what does nothing alone
  std::uint64_t excluded = 0;  ///< by a constraint
  std::uint64_t unfit = 0;     ///< not chosen from: the memory does not hold them
  std::uint64_t empty = 0;     ///< rows of `best` of which no point is left

  void add(const SkippedPoints&);
};

/// Makes the rows of points. One per thread.
class RowMaker {
 public:
  RowMaker(const SweepSources&, const RowLayout&);

  /// Lines of CSV of the points from `first` to before `end`; of each row's best alone where the
  /// sweep takes one (the range is of whole rows); where it selects, of those that may be selected.
  std::string rows(std::uint64_t first, std::uint64_t end);
  /// The final rows, of the points that `rows` let through: worked out again by events, and
  /// selected.
  std::string selected_rows(const std::vector<std::uint64_t>& points);
  /// Works out what every point takes, to time it; whether it may make a row.
  bool try_point(std::uint64_t number);
  /// Likewise what else a row of `best` takes whose best point this is.
  void try_row(std::uint64_t number);
  const SkippedPoints& left_out() const { return left_out_; }
  /// Rows of plans that the memory does not hold: where a row has figures of time, this is known.
  std::uint64_t unfit_rows() const { return unfit_rows_; }
  /// Of the points that made rows, each sentence once.
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
  /// Points that may make rows, and by what their figures are.
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
