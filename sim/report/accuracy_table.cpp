#include "sim/report/accuracy_table.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sim/report/figure_text.hpp"

namespace tofn {
inline namespace report {

std::optional<double> share_inside(const Accuracy& a) {
  return a.held ? std::optional(a.held->shares.back()) : std::nullopt;
}

TableColumns<Accuracy> default_accuracy_columns() {
  const auto share = [](std::size_t coverage) {
    return of_its(&Accuracy::held, [=](const Held& held) { return held.shares[coverage]; });
  };
  return {right("n", &Accuracy::count),
          right("mean", &Accuracy::mean, percent),
          right("median", &Accuracy::median, percent),
          right("bias", &Accuracy::bias, signed_percent),
          right("in 50 %", share(0), percent),
          right("80 %", share(1), percent),
          right("90 %", share(2), percent),
          right("half-width", of_its(&Accuracy::held, &Held::half_width), percent),
          right("score", of_its(&Accuracy::held, &Held::score), "{:.2f}")};
}

TableColumns<Accuracy> screen_accuracy_columns() {
  TableColumns<Accuracy> columns = default_accuracy_columns();
  columns.pop_back();
  return columns;
}

std::string accuracy_words(const Accuracy& a) {
  std::string text =
      fmt::format("{} % off in the mean, {} % in the median", percent(a.mean), percent(a.median));
  if (const auto inside = share_inside(a))
    text += fmt::format("; {} % lie inside their 90 % range", percent(*inside));
  return text;
}

std::string AccuracyTable::render() const {
  using Row = AccuracyRow;
  TableColumns<Row> columns{left(what_, &Row::name)};
  for (const auto& each : columns_)
    columns.push_back(right(each.head.header, of_its(&Row::accuracy, each.cell)));
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
