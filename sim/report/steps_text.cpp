#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "sim/core/statistics.hpp"
#include "sim/report/accuracy_table.hpp"
#include "sim/report/figure_text.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/steps_report.hpp"

namespace tofn {
inline namespace report {
namespace {

std::vector<std::string> memory_cells(std::string name, const std::vector<double>& errors) {
  std::vector<double> absolute;
  for (const double error : errors) absolute.push_back(std::abs(error));
  return {std::move(name),
          fmt::format("{}", errors.size()),
          percent(mean(absolute)),
          percent(median(absolute)),
          percent(*std::max_element(absolute.begin(), absolute.end())),
          signed_percent(mean(errors))};
}

/// Errors of peak memory, of all rows that state it and by what they mean; empty: none does.
std::string memory_text(const std::vector<ScoredStep>& steps) {
  std::vector<double> all;
  std::map<std::string, std::vector<double>> groups;
  for (const ScoredStep& step : steps) {
    if (!step.memory) continue;
    all.push_back(step.memory->error());
    groups[fmt::format("{}, {}", name_of(step.memory->reading), step.stack)].push_back(all.back());
  }
  if (all.empty()) return {};
  TextTable table({{"peak memory", Align::Left}, {"n"}, {"mean"}, {"median"}, {"worst"}, {"bias"}});
  table.add(memory_cells("all", all));
  for (const auto& [name, errors] : groups) table.add(memory_cells(name, errors));
  return table.render() + "  of the fullest accelerator, as the stack reports it\n" +
         disclosed_text("memory");
}

}  // namespace

std::string steps_text(const std::vector<ScoredStep>& steps, StepProtocol protocol) {
  std::vector<const ScoredStep*> scored;
  std::map<std::string, int> skipped;
  for (const ScoredStep& step : steps)
    if (step.skipped_because.empty())
      scored.push_back(&step);
    else
      ++skipped[step.skipped_because];
  AccuracyTable table("steps");
  std::vector<Scored> all;
  std::vector<Scored> firm;
  for (const ScoredStep* step : scored) {
    all.push_back(step->scored());
    if (step->trust != "C") firm.push_back(step->scored());
  }
  table.add("all", all);
  if (firm.size() < all.size()) table.add("trust A and B", firm);
  table.add_groups("stack", scored, [](const ScoredStep& s) { return s.stack; });
  table.add_groups("on", scored,
                   [](const ScoredStep& s) { return s.accelerator + ' ' + s.precision; });
  table.add_groups("N", scored, [](const ScoredStep& s) { return size_class(s.accelerators); });
  return table.render() +
         fmt::format("{}; errors in %, half-width of the 90 % interval, its score\n",
                     name_of(protocol)) +
         memory_text(steps) + skipped_text(skipped) + disclosed_text("steps", name_of(protocol));
}

}  // namespace report
}  // namespace tofn
