#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/core/accuracy.hpp"
#include "sim/report/table_columns.hpp"

namespace tofn {
inline namespace report {

/// Accuracy of a group of predictions.
struct AccuracyRow {
  std::string name;
  Accuracy accuracy;
  std::optional<double> baseline{};  ///< mean error of what the predictions must beat
};
/// Share of measurements inside their 90 % intervals; absent without intervals.
std::optional<double> share_inside(const Accuracy&);

/// Columns for number, mean, median and bias, for shares inside each interval, and for half-width
/// and score.
TableColumns<Accuracy> default_accuracy_columns();
/// The default columns without the score, which fit on a screen.
TableColumns<Accuracy> screen_accuracy_columns();

/// Returns text such as `6.6 % off in the mean, 5.9 % in the median; 96.7 % lie inside their 90 %
/// range`.
std::string accuracy_words(const Accuracy&);

/// Table of the errors of predictions and the coverage of their intervals, one row a group.
class AccuracyTable {
 public:
  /// `what`: head of the column of group names.
  explicit AccuracyTable(std::string what,
                         TableColumns<Accuracy> columns = default_accuracy_columns())
      : what_(std::move(what)), columns_(std::move(columns)) {}

  /// Adds a row; does nothing if the accuracy covers no prediction.
  void add(AccuracyRow row) {
    if (row.accuracy.count > 0) rows_.push_back(std::move(row));
  }
  void add(std::string name, const Accuracy& accuracy) { add({std::move(name), accuracy}); }
  void add(std::string name, const std::vector<Scored>& scored) {
    add(std::move(name), accuracy_of(scored));
  }

  /// Adds a row `what KEY` for each key, in the order of the keys.
  template <class Item, class KeyOf>
  void add_groups(std::string_view what, const std::vector<const Item*>& items, KeyOf key_of) {
    std::map<std::string, std::vector<Scored>> groups;
    for (const Item* item : items) groups[key_of(*item)].push_back(item->scored());
    for (const auto& [key, members] : groups) add(std::string(what) + ' ' + key, members);
  }

  /// Text of the table, with the baseline if a row has one.
  std::string render() const;

 private:
  std::string what_;
  TableColumns<Accuracy> columns_;
  std::vector<AccuracyRow> rows_;
};

/// Class of a size by powers of eight, such as `   512 or fewer`.
std::string size_class(int accelerators);

}  // namespace report
}  // namespace tofn
