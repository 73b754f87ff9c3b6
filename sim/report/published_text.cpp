#include <map>

#include <fmt/format.h>

#include "sim/report/accuracy_table.hpp"
#include "sim/report/published_report.hpp"

namespace tofn {
inline namespace report {

std::string published_text(const std::vector<ScoredRun>& runs, std::string_view protocol) {
  std::vector<const ScoredRun*> scored;
  std::map<std::string, int> skipped;
  for (const ScoredRun& run : runs)
    if (run.skipped_because.empty())
      scored.push_back(&run);
    else
      ++skipped[run.skipped_because];
  AccuracyTable table("time to train");
  std::vector<Scored> all;
  for (const ScoredRun* run : scored) all.push_back(run->scored());
  table.add("all", all);
  table.add_groups("in", scored, [](const ScoredRun& r) {
    return r.is_in_one_domain ? "one domain" : "several domains";
  });
  table.add_groups("of", scored, [](const ScoredRun& r) { return r.table; });
  table.add_groups("of", scored, [](const ScoredRun& r) { return r.benchmark; });
  table.add_groups("on", scored, [](const ScoredRun& r) { return r.accelerator; });
  table.add_groups("N", scored, [](const ScoredRun& r) { return size_class(r.accelerators); });
  return table.render() +
         fmt::format("{}; errors in %, half-width of the 90 % interval, its score\n", protocol) +
         skipped_text(skipped);
}

}  // namespace report
}  // namespace tofn
