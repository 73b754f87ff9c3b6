#include "sim/report/accuracy_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/report/figure_text.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

namespace {

template <class Text>
std::string held_cell(const Accuracy& accuracy, Text text) {
  return accuracy.held ? text(*accuracy.held) : "-";
}
template <std::size_t coverage>
std::string share_cell(const Accuracy& a) {
  return held_cell(a, [](const Held& h) { return percent(h.shares[coverage]); });
}
std::string half_width_cell(const Accuracy& a) {
  return held_cell(a, [](const Held& h) { return percent(h.half_width); });
}
std::string score_cell(const Accuracy& a) {
  return held_cell(a, [](const Held& h) { return fmt::format("{:.2f}", h.score); });
}

}  // namespace

std::string count_cell(const Accuracy& a) { return fmt::format("{}", a.count); }
std::string mean_cell(const Accuracy& a) { return percent(a.mean); }
std::string median_cell(const Accuracy& a) { return percent(a.median); }
std::string ninetieth_cell(const Accuracy& a) { return percent(a.ninetieth); }
std::string worst_cell(const Accuracy& a) { return percent(a.worst); }
std::string bias_cell(const Accuracy& a) { return signed_percent(a.bias); }
std::string inside_cell(const Accuracy& a) { return share_cell<coverages.size() - 1>(a); }
std::string one_width_cell(const Accuracy& a) {
  return held_cell(a, [](const Held& h) { return fmt::format("{:.2f}", h.score_of_one_width); });
}

std::vector<AccuracyColumn> default_accuracy_columns() {
  return {{"n", count_cell},          {"mean", mean_cell},
          {"median", median_cell},    {"bias", bias_cell},
          {"in 50 %", share_cell<0>}, {"80 %", share_cell<1>},
          {"90 %", share_cell<2>},    {"half-width", half_width_cell},
          {"score", score_cell}};
}

std::vector<AccuracyColumn> screen_accuracy_columns() {
  std::vector<AccuracyColumn> columns = default_accuracy_columns();
  columns.pop_back();
  return columns;
}

std::string accuracy_words(const Accuracy& a) {
  std::string text =
      fmt::format("{} % off in the mean, {} % in the median", percent(a.mean), percent(a.median));
  if (a.held) text += fmt::format("; {} % lie inside their 90 % range", inside_cell(a));
  return text;
}

std::string AccuracyTable::render() const {
  using Row = AccuracyRow;
  TableColumns<Row> columns{left(what_, &Row::name)};
  for (const AccuracyColumn& each : columns_)
    columns.push_back(right(each.head, of_its(&Row::accuracy, each.cell)));
  if (std::ranges::any_of(rows_, [](const Row& row) { return row.baseline.has_value(); }))
    columns.push_back(right("baseline", &Row::baseline, percent));
  return table_text(columns, rows_);
}

std::string size_class(int accelerators) {
  int most = 8;
  while (most < accelerators) most *= 8;
  return fmt::format("{:6d} or fewer", most);
}

}  // namespace report
}  // namespace tofn
