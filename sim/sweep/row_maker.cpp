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

/// Selected are so many times more than asked for before events instead of the closed form decide:
/// the two differ by a few per cent where stages interleave.
constexpr std::size_t selection_margin = 4;

/// Nothing is infinite: no constraint lets it pass, and it comes last.
double number_of(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (std::holds_alternative<std::monostate>(value)) return std::numeric_limits<double>::infinity();
  return static_cast<double>(std::get<long long>(value));
}

}  // namespace

RowMaker::RowMaker(const SweepSources& sources, const RowLayout& layout)
    : sources_(sources), layout_(layout), maker_(sources) {
  std::vector<std::string> known;
  for (const Cell& cell : layout.known) known.push_back(cell.column.name);
  for (const Stated& stated : sources.sweep().constraints) {
    Test test{.condition = Condition(stated, known), .cells = {}};
    for (const std::string& name : test.condition.names()) {
      const auto place = std::find(known.begin(), known.end(), name) - known.begin();
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

std::optional<Point> RowMaker::worked_out(std::uint64_t number, bool by_engine) {
  find_positions(sources_.sweep(), number, positions_);
  try {
    Point point = maker_.plan(number);
    bool kept = passes(point, Stage::Plan);
    const auto stage = [&](Stage which, bool needed, auto&& work_out) {
      if (!kept || !needed) return;
      work_out();
      kept = passes(point, which);
    };
    stage(Stage::Memory, layout_.needs_memory, [&] { maker_.add_memory(point); });
    stage(Stage::Time, layout_.needs_time, [&] { maker_.add_time(point, by_engine); });
    stage(Stage::Expense, layout_.needs_expense, [&] { maker_.add_expense(point); });
    stage(Stage::Interval, layout_.needs_interval, [&] { maker_.add_interval(point); });
    stage(Stage::Reference, layout_.needs_reference,
          [&] { maker_.add_reference(point, by_engine); });
    if (kept) add_new(substitutions_, tofn::substitutions(point));
    if (kept) return point;
    ++left_out_.excluded;
  } catch (const InputError& error) {
    refuse(number, error.what());
  }
  return std::nullopt;
}

void RowMaker::refuse(std::uint64_t number, const char* reason) {
  if (left_out_.refused++ > 0 && left_out_.first_refused < number) return;
  left_out_.first_refused = number;
  left_out_.first_refusal = reason;
}

void RowMaker::append_row(std::string& text, const Point& point) const {
  fmt::format_to(std::back_inserter(text), "{}", point.number);
  for (const Cell& cell : layout_.cells) {
    text += ',';
    if (cell.axis && cell.column.type != CellType::Text)
      text += cell.axis->value(positions_);
    else
      append_csv_cell(text, value_of(cell, point));
  }
  text += '\n';
}

Candidate RowMaker::candidate(const Point& point) const {
  Candidate candidate{.apart = {}, .goals = {}, .point = point.number};
  for (const std::size_t cell : layout_.apart)
    candidate.apart.push_back(value_of(layout_.cells[cell], point));
  const auto& goals = sources_.sweep().select->goals;
  for (std::size_t i = 0; i < goals.size(); ++i) {
    const double value = number_of(value_of(layout_.cells[layout_.goals[i]], point));
    candidate.goals.push_back(goals[i].is_least ? value : -value);
  }
  return candidate;
}

Selector RowMaker::selector(std::size_t margin) const {
  const auto top = sources_.sweep().select->top;
  return Selector(top ? static_cast<std::size_t>(*top) * margin : 0);
}

std::string RowMaker::rows(std::uint64_t first, std::uint64_t end) {
  std::string text;
  if (!sources_.sweep().select) {
    for (std::uint64_t number = first; number < end; ++number)
      if (const auto point = worked_out(number, false)) append_row(text, *point);
    return text;
  }
  Selector selector = this->selector(selection_margin);
  for (std::uint64_t number = first; number < end; ++number)
    if (const auto point = worked_out(number, false)) selector.add(candidate(*point));
  std::vector<std::uint64_t> points;
  for (const Candidate& kept : selector.kept()) points.push_back(kept.point);
  std::sort(points.begin(), points.end());
  for (const std::uint64_t number : points) append_row(text, *worked_out(number, false));
  return text;
}

std::string RowMaker::selected_rows(const std::vector<std::uint64_t>& points) {
  Selector estimated = selector(selection_margin);
  for (const std::uint64_t number : points)
    if (const auto point = worked_out(number, false)) estimated.add(candidate(*point));
  Selector final = selector(1);
  for (const Candidate& kept : estimated.kept())
    if (const auto point = worked_out(kept.point, true)) final.add(candidate(*point));
  std::string text;
  for (const Candidate& kept : final.kept()) append_row(text, *worked_out(kept.point, true));
  return text;
}

}  // namespace sweep
}  // namespace tofn
