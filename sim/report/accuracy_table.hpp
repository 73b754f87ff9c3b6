#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/core/accuracy.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {

/// Column of an accuracy table: its head, and the function for its cells.
struct AccuracyColumn {
  std::string head;
  std::string (*cell)(const Accuracy&);
};
std::string count_cell(const Accuracy&);
std::string mean_cell(const Accuracy&);
std::string median_cell(const Accuracy&);
std::string ninetieth_cell(const Accuracy&);
std::string worst_cell(const Accuracy&);
std::string bias_cell(const Accuracy&);
/// Share of measurements inside their 90 % intervals; `-` without intervals.
std::string inside_cell(const Accuracy&);
std::string one_width_cell(const Accuracy&);

/// Columns for number, mean, median and bias, for shares inside each interval, and for half-width
/// and score.
std::vector<AccuracyColumn> default_accuracy_columns();
/// The default columns without the score, which fit on a screen.
std::vector<AccuracyColumn> screen_accuracy_columns();

/// Returns text such as `6.6 % off in the mean, 5.9 % in the median; 96.7 % lie inside their 90 %
/// range`.
std::string accuracy_words(const Accuracy&);

/// Table of the errors of predictions and the coverage of their intervals, one row a group.
class AccuracyTable {
 public:
  /// `what`: head of the column of group names; `more`: heads of columns that are not accuracies.
  explicit AccuracyTable(const std::string& what,
                         std::vector<AccuracyColumn> columns = default_accuracy_columns(),
                         const std::vector<std::string>& more = {});

  /// Adds a row; does nothing if the accuracy covers no prediction.
  void add(const std::string& name, const Accuracy&, const std::vector<std::string>& more = {});
  void add(const std::string& name, const std::vector<Scored>& scored) {
    add(name, accuracy_of(scored));
  }

  /// Adds a row `what KEY` for each key, in the order of the keys.
  template <class Item, class KeyOf>
  void add_groups(std::string_view what, const std::vector<const Item*>& items, KeyOf key_of) {
    std::map<std::string, std::vector<Scored>> groups;
    for (const Item* item : items) groups[key_of(*item)].push_back(item->scored());
    for (const auto& [key, members] : groups) add(std::string(what) + ' ' + key, members);
  }

  std::string render() const { return table_.render(); }

 private:
  std::vector<AccuracyColumn> columns_;
  TextTable table_;
};

/// Class of a size by powers of eight, such as `   512 or fewer`.
std::string size_class(int accelerators);

}  // namespace report
}  // namespace tofn
