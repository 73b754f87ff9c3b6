#include "sim/report/accuracy_table.hpp"

#include <fmt/format.h>

#include "sim/report/figure_text.hpp"

namespace tofn {
inline namespace report {

AccuracyTable::AccuracyTable(std::string what)
    : table_({{std::move(what), Align::Left},
              {"n"},
              {"mean"},
              {"median"},
              {"bias"},
              {"in 50 %"},
              {"80 %"},
              {"90 %"},
              {"half-width"},
              {"score"}}) {}

void AccuracyTable::add(std::string name, const std::vector<Scored>& scored) {
  if (scored.empty()) return;
  const Accuracy a = accuracy_of(scored);
  std::vector<std::string> cells{std::move(name), fmt::format("{}", a.count), percent(a.mean),
                                 percent(a.median), signed_percent(a.bias)};
  const auto held = [&](auto text) { cells.push_back(a.held ? text(*a.held) : "-"); };
  for (std::size_t i = 0; i < coverages.size(); ++i)
    held([&](const Held& h) { return percent(h.shares[i]); });
  held([](const Held& h) { return percent(h.half_width); });
  held([](const Held& h) { return fmt::format("{:.2f}", h.score); });
  table_.add(std::move(cells));
}

std::string size_class(int accelerators) {
  int most = 8;
  while (most < accelerators) most *= 8;
  return fmt::format("{:6d} or fewer", most);
}

std::string skipped_text(const std::map<std::string, int>& reasons) {
  std::string text;
  for (const auto& [why, count] : reasons) text += fmt::format("left out: {} x {}\n", count, why);
  return text;
}

}  // namespace report
}  // namespace tofn
