#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/answers/accuracy.hpp"
#include "sim/report/text_table.hpp"

namespace tofn {
inline namespace report {

/// How far off predictions are and how well their intervals hold, a row a group of them.
class AccuracyTable {
 public:
  /// `what`: the head of the groups' names.
  explicit AccuracyTable(std::string what);

  /// Nothing where there are none.
  void add(std::string name, const std::vector<Scored>&);

  /// A row `what KEY` for each key, in their order.
  template <class Item, class KeyOf>
  void add_groups(std::string_view what, const std::vector<const Item*>& items, KeyOf key_of) {
    std::map<std::string, std::vector<Scored>> groups;
    for (const Item* item : items) groups[key_of(*item)].push_back(item->scored());
    for (const auto& [key, members] : groups) add(std::string(what) + ' ' + key, members);
  }

  std::string render() const { return table_.render(); }

 private:
  TextTable table_;
};

/// `   512 or fewer`, of powers of eight.
std::string size_class(int accelerators);

/// `left out: 3 x WHY`, a line a reason.
std::string skipped_text(const std::map<std::string, int>& reasons);

}  // namespace report
}  // namespace tofn
