// Counts how often the 95 % intervals of short runs contain the median of a long one. Each point of
// a record is replayed from some 40 of its visits until tofn-bench's stopping rule is satisfied. To
// record some hundred visits a point: `tofn-bench collective --precision 0.0001 --max-time 20s`.

#include <algorithm>
#include <cstdio>
#include <exception>
#include <numeric>
#include <optional>
#include <span>
#include <stdexcept>
#include <vector>

#include <fmt/format.h>

#include "microbench/harness/stopping.hpp"
#include "microbench/harness/summary.hpp"
#include "sim/config/load_record.hpp"

using namespace tofn;
using namespace tofn::bench;

namespace {

struct Coverage {
  int runs = 0;
  int held = 0;
  std::vector<double> half_widths;
};

/// Summary of the visits from `first` on, up to the one that satisfies the stopping rule. Absent if
/// the record ends before.
std::optional<RecordSummary> run_from(const RecordPoint& point, std::size_t first) {
  const StoppingRule rule;
  const auto begin = point.visits.begin();
  const auto skipped = static_cast<std::size_t>(
      std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(first), 0));
  std::size_t taken = 0;
  double time = 0;
  for (std::size_t visit = first; visit < point.visits.size(); ++visit) {
    const auto size = static_cast<std::size_t>(point.visits[visit]);
    for (const double sample : std::span(point.host_samples).subspan(skipped + taken, size))
      time += sample * point.calls_per_sample;
    taken += size;
    const auto visits = std::span(point.visits).subspan(first, visit - first + 1);
    const auto summary = summarize(point.samples().subspan(skipped, taken), visits);
    if (rule.is_enough(static_cast<int>(visits.size()), time, half_width(summary))) return summary;
  }
  return {};
}

void add(const RecordPoint& point, Coverage& coverage) {
  constexpr std::size_t starts = 40;
  const std::size_t step = std::max<std::size_t>(1, point.visits.size() / starts);
  for (std::size_t first = 0; first < point.visits.size(); first += step) {
    const auto summary = run_from(point, first);
    if (!summary) return;
    ++coverage.runs;
    if (summary->interval.contains(point.summary.median)) ++coverage.held;
    coverage.half_widths.push_back(half_width(*summary));
  }
}

}  // namespace

int main(int count, char** words) try {
  if (count != 2) throw std::runtime_error("expected one record");
  Coverage coverage;
  for (const RecordPoint& point : load_record(words[1]).points) add(point, coverage);
  if (coverage.runs == 0) throw std::runtime_error("no point has visits enough");
  fmt::print(
      "{} of {} intervals hold the median of the whole record ({:.1f} %); half width {:.1f} % "
      "in the median\n",
      coverage.held, coverage.runs, 100.0 * coverage.held / coverage.runs,
      100 * median(coverage.half_widths));
} catch (const std::exception& error) {
  fmt::print(stderr, "interval_replay: {}\n", error.what());
  return 2;
}
