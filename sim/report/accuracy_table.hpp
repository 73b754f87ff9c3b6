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

/// A column of such a table: its head, and what it says of a group.
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
/// Of intervals, `-` where there are none: the share of measurements in those of 90 %.
std::string inside_cell(const Accuracy&);
std::string one_width_cell(const Accuracy&);

/// Number, mean, median and bias; shares inside each interval; half-width and score.
std::vector<AccuracyColumn> default_accuracy_columns();
/// The same without the score: they fit into a screen.
std::vector<AccuracyColumn> screen_accuracy_columns();

/// `6.6 % off in the mean, 5.9 % in the median; 96.7 % lie inside their 90 % range`
std::string accuracy_words(const Accuracy&);

/// How far off predictions are and how well their intervals hold, a row a group of them.
class AccuracyTable {
 public:
  /// `what`: the head of the groups' names; `more`: of columns that are no accuracy.
  explicit AccuracyTable(const std::string& what,
                         std::vector<AccuracyColumn> columns = default_accuracy_columns(),
                         const std::vector<std::string>& more = {});

  /// Nothing of none.
  void add(const std::string& name, const Accuracy&, const std::vector<std::string>& more = {});
  void add(const std::string& name, const std::vector<Scored>& scored) {
    add(name, accuracy_of(scored));
  }

  /// A row `what KEY` for each key, in their order.
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

/// `   512 or fewer`, of powers of eight.
std::string size_class(int accelerators);

}  // namespace report
}  // namespace tofn
