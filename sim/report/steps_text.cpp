#include <map>

#include <fmt/format.h>

#include "sim/report/accuracy_table.hpp"
#include "sim/report/notes.hpp"
#include "sim/report/steps_report.hpp"

namespace tofn {
inline namespace report {
namespace {

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
  AccuracyTable table("peak memory", {{"n", count_cell},
                                      {"mean", mean_cell},
                                      {"median", median_cell},
                                      {"worst", worst_cell},
                                      {"bias", bias_cell}});
  table.add("all", accuracy_of(all));
  for (const auto& [name, errors] : groups) table.add(name, accuracy_of(errors));
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
