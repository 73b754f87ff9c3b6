#include <map>

#include <fmt/format.h>

#include "sim/report/accuracy_table.hpp"
#include "sim/report/steps_report.hpp"

namespace tofn {
inline namespace report {

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
         skipped_text(skipped);
}

}  // namespace report
}  // namespace tofn
