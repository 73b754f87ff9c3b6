#include "tofn/answer.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "sim/core/names.hpp"
#include "sim/core/records.hpp"
#include "sim/library/figure_meanings.hpp"
#include "tofn/error.hpp"

namespace tofn {
namespace {

constexpr int mistake_of_the_user = 2;

double number_of(const Value& cell, std::string_view column) {
  if (const double* number = std::get_if<double>(&cell)) return *number;
  if (const long long* count = std::get_if<long long>(&cell)) return static_cast<double>(*count);
  if (std::holds_alternative<std::monostate>(cell)) return std::numeric_limits<double>::quiet_NaN();
  throw Error(fmt::format("{}: holds text, '{}', and no number", column,
                          shortened(std::get<std::string>(cell))),
              mistake_of_the_user);
}

}  // namespace

Answer::Answer(std::vector<std::string> columns, std::vector<std::vector<Value>> rows,
               std::string text, std::vector<std::string> notices, int exit_code)
    : columns_(std::move(columns)),
      rows_(std::move(rows)),
      text_(std::move(text)),
      notices_(std::move(notices)),
      exit_code_(exit_code) {}

bool Answer::has(std::string_view column) const {
  return std::ranges::find(columns_, column) != columns_.end();
}

std::size_t Answer::index_of(std::string_view column) const {
  const auto found = std::ranges::find(columns_, column);
  if (found == columns_.end())
    throw Error(unknown_name("column", std::string(column), columns_), mistake_of_the_user);
  return static_cast<std::size_t>(found - columns_.begin());
}

const Value& Answer::value(std::string_view column, std::size_t row) const {
  const std::size_t index = index_of(column);
  if (row >= rows_.size())
    throw Error(fmt::format("row {} of an answer of {}", row, rows_.size()), mistake_of_the_user);
  return rows_[row][index];
}

double Answer::number(std::string_view column, std::size_t row) const {
  return number_of(value(column, row), column);
}

std::string Answer::words(std::string_view column, std::size_t row) const {
  const Value& cell = value(column, row);
  if (const std::string* text = std::get_if<std::string>(&cell)) return *text;
  std::string text;
  append_csv_cell(text, cell);
  return text;
}

Figure Answer::figure(std::string_view column, std::size_t row) const {
  const std::string name(column);
  const auto& known = meaning_of_figure(name);
  Figure figure{
      .name = name, .value = value(column, row), .unit = known.unit, .meaning = known.meaning};
  const auto end = [&](const char* suffix) -> std::optional<double> {
    if (!has(name + suffix)) return {};
    const Value& cell = value(name + suffix, row);
    if (std::holds_alternative<std::monostate>(cell)) return {};
    return number_of(cell, name + suffix);
  };
  figure.low90 = end("_low90");
  figure.high90 = end("_high90");
  if (has(name + "_basis")) figure.basis = words(name + "_basis", row);
  return figure;
}

std::vector<double> Answer::numbers(std::string_view column) const {
  const std::size_t index = index_of(column);
  std::vector<double> all;
  all.reserve(rows_.size());
  for (const auto& row : rows_) all.push_back(number_of(row[index], column));
  return all;
}

std::string Answer::csv() const { return to_csv({.columns = columns_, .rows = rows_}); }
std::string Answer::json() const { return to_json(Records{.columns = columns_, .rows = rows_}); }

}  // namespace tofn
