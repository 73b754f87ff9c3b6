#include "sim/sweep/row_maker.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/parallelism/substitutions.hpp"

namespace tofn {
inline namespace sweep {
namespace {

/// Factor by which more points than requested are preselected by the closed form, before events
/// decide: the two differ by a few per cent if stages interleave.
constexpr std::size_t selection_margin = 4;

/// Number of a value. An empty value is infinite, so that no constraint accepts it and it ranks
/// last.
double number_of(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (std::holds_alternative<std::monostate>(value)) return std::numeric_limits<double>::infinity();
  return static_cast<double>(std::get<long long>(value));
}

}  // namespace

void SkippedPoints::Reported::add(const Reported& other) {
  if (other.count > 0 && (count == 0 || other.first < first)) {
    first = other.first;
    why = other.why;
  }
  count += other.count;
}

void SkippedPoints::add(const SkippedPoints& other) {
  refused.add(other.refused);
  repeated.add(other.repeated);
  excluded += other.excluded;
  unfit += other.unfit;
  empty += other.empty;
}

RowMaker::RowMaker(const SweepSources& sources, const RowLayout& layout)
    : sources_(sources), layout_(layout), maker_(sources) {
  std::vector<std::string> known;
  for (const Cell& cell : layout.known) known.push_back(cell.column.name);
  for (const SweepText& stated : sources.sweep().constraints) {
    Test test{.condition = Condition(stated, known), .cells = {}};
    for (const std::string& name : test.condition.names()) {
      const auto place = std::ranges::find(known, name) - known.begin();
      test.cells.push_back(&layout.known[static_cast<std::size_t>(place)]);
      if (const PointColumn* figure = test.cells.back()->figure)
        test.stage = std::max(test.stage, figure->stage);
    }
    tests_.push_back(std::move(test));
  }
}

Value RowMaker::value_of(const Cell& cell, const Point& point) const {
  if (cell.figure != nullptr) return cell.figure->value(point);
  const std::string& text = cell.axis->value(positions_);
  double number = 0;
  if (cell.column.type == CellType::Text || !parse_number(text, number)) return text;
  return number;
}

bool RowMaker::passes(const Point& point, Stage stage) {
  for (const Test& test : tests_) {
    if (test.stage != stage) continue;
    values_.clear();
    for (const Cell* cell : test.cells) values_.push_back(number_of(value_of(*cell, point)));
    if (!test.condition.holds(values_)) return false;
  }
  return true;
}

std::optional<Point> RowMaker::worked_out(std::uint64_t number, const Needs& needs, By by) {
  find_positions(sources_.sweep(), number, positions_);
  try {
    Point point = maker_.plan(number);
    const bool by_engine = by == By::Events || point.plan_is_chosen;
    if (point.repetition) {
      left_out_.repeated.add(number, [&] { return point.repetition->text(); });
      return std::nullopt;
    }
    bool kept = passes(point, Stage::Plan);
    const auto stage = [&](Stage which, auto&& work_out) {
      if (!kept || !needs.has(which)) return;
      work_out();
      kept = passes(point, which);
    };
    stage(Stage::Memory, [&] { maker_.add_memory(point); });
    if (kept && layout_.must_fit && !point.fits) {
      ++left_out_.unfit;
      return std::nullopt;
    }
    stage(Stage::Time, [&] { maker_.add_time(point, by_engine); });
    stage(Stage::Expense, [&] { maker_.add_expense(point); });
    stage(Stage::Interval, [&] { maker_.add_interval(point); });
    stage(Stage::Reference, [&] { maker_.add_reference(point, by_engine); });
    if (kept) return point;
    ++left_out_.excluded;
  } catch (const InputError& error) {
    left_out_.refused.add(number, [&] { return std::string(error.what()); });
  }
  return std::nullopt;
}

void RowMaker::append_row(std::string& text, std::uint64_t number, By by) {
  const auto point = worked_out(number, layout_.of_rows, by);
  if (!point) return;
  add_new(substitutions_, sweep::substitutions(*point));
  add_new(substitutions_, collective_substitutions(*point));
  if (sources_.is_of_models() && !point->fits) ++unfit_rows_;
  fmt::format_to(std::back_inserter(text), "{}", number);
  for (const Cell& cell : layout_.cells) {
    text += ',';
    if (cell.axis && cell.column.type != CellType::Text)
      text += cell.axis->value(positions_);
    else
      append_csv_cell(text, value_of(cell, *point));
  }
  text += '\n';
}

/// Values of the goals, with signs such that smaller is better.
std::vector<double> RowMaker::goals_of(const Point& point, std::span<const Goal> goals,
                                       std::span<const std::size_t> cells) const {
  std::vector<double> values;
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const double value = number_of(value_of(layout_.cells[cells[i]], point));
    values.push_back(goals[i].is_least ? value : -value);
  }
  return values;
}

Candidate RowMaker::candidate(const Point& point) const {
  Candidate candidate{.apart = {},
                      .goals = goals_of(point, sources_.sweep().select->goals, layout_.goals),
                      .point = point.number};
  for (const std::size_t cell : layout_.apart)
    candidate.apart.push_back(value_of(layout_.cells[cell], point));
  return candidate;
}

Selector RowMaker::selector(std::size_t margin) const {
  const auto top = sources_.sweep().select->top;
  return Selector(top ? static_cast<std::size_t>(*top) * margin : 0);
}

std::optional<std::uint64_t> RowMaker::best_of(std::uint64_t first, std::uint64_t end) {
  const Best& best = *sources_.sweep().best;
  const auto add = [&](Selector& selector, std::uint64_t number, By by) {
    if (const auto point = worked_out(number, layout_.of_best, by))
      selector.add({.apart = {},
                    .goals = goals_of(*point, {&best.by, 1}, {&layout_.best_by, 1}),
                    .point = number});
  };
  Selector estimated(selection_margin);
  for (std::uint64_t number = first; number < end; ++number) add(estimated, number, By::ClosedForm);
  const auto few = estimated.kept();
  Selector final(1);
  for (const Candidate& kept : few) add(final, kept.point, By::Events);
  const auto found = final.kept();
  if (found.empty()) ++left_out_.empty;
  return found.empty() ? std::nullopt : std::optional(found.front().point);
}

std::vector<std::uint64_t> RowMaker::candidates(std::uint64_t first, std::uint64_t end) {
  const Sweep& sweep = sources_.sweep();
  std::vector<std::uint64_t> numbers;
  if (sweep.best) {
    const std::uint64_t size = sweep.points_of_a_row();
    for (std::uint64_t row = first; row < end; row += size)
      if (const auto best = best_of(row, row + size)) numbers.push_back(*best);
  } else {
    for (std::uint64_t number = first; number < end; ++number) numbers.push_back(number);
  }
  return numbers;
}

std::string RowMaker::rows(std::uint64_t first, std::uint64_t end) {
  std::vector<std::uint64_t> numbers = candidates(first, end);
  if (sources_.sweep().select) {
    Selector selector = this->selector(selection_margin);
    for (const std::uint64_t number : numbers)
      if (const auto point = worked_out(number, layout_.of_choice, by()))
        selector.add(candidate(*point));
    numbers.clear();
    for (const Candidate& kept : selector.kept()) numbers.push_back(kept.point);
    std::ranges::sort(numbers);
  }
  std::string text;
  for (const std::uint64_t number : numbers) append_row(text, number, by());
  return text;
}

bool RowMaker::try_point(std::uint64_t number) {
  const Sweep& sweep = sources_.sweep();
  const Needs& needs = sweep.best     ? layout_.of_best
                       : sweep.select ? layout_.of_choice
                                      : layout_.of_rows;
  return worked_out(number, needs, By::ClosedForm).has_value();
}

void RowMaker::try_row(std::uint64_t number) {
  for (std::size_t i = 0; i < selection_margin; ++i)
    worked_out(number, layout_.of_best, By::Events);
  worked_out(number, layout_.of_rows, By::Events);
}

std::string RowMaker::selected_rows(const std::vector<std::uint64_t>& points) {
  Selector estimated = selector(selection_margin);
  for (const std::uint64_t number : points)
    if (const auto point = worked_out(number, layout_.of_choice, by()))
      estimated.add(candidate(*point));
  Selector final = selector(1);
  for (const Candidate& kept : estimated.kept())
    if (const auto point = worked_out(kept.point, layout_.of_choice, By::Events))
      final.add(candidate(*point));
  std::string text;
  for (const Candidate& kept : final.kept()) append_row(text, kept.point, By::Events);
  return text;
}

}  // namespace sweep
}  // namespace tofn
