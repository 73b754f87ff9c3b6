#include <algorithm>

#include "sim/timeline/account.hpp"
#include "sim/timeline/engine.hpp"

namespace tofn {
inline namespace timeline {
namespace {

Seconds end_of(const std::vector<Rank>& ranks) {
  Seconds end;
  for (const Rank& rank : ranks) end = std::max(end, rank.now());
  return end;
}

/// The stage with the most to do; of equal ones that which ends last.
const Rank& slowest_of(const std::vector<Rank>& ranks) {
  return *std::max_element(ranks.begin(), ranks.end(), [](const Rank& a, const Rank& b) {
    const Seconds first = busy_time(a.parts);
    const Seconds second = busy_time(b.parts);
    return first == second ? a.now() < b.now() : first < second;
  });
}

StepTimes account_of(const Rank& rank, const Rank& slowest, Seconds end, Seconds for_replica,
                     const StepWork& work) {
  const StageDoings doings{.parts = rank.parts,
                           .waiting = rank.waiting + (end - rank.now()),
                           .communication = rank.communication};
  return account(doings, slowest.parts, for_replica, work.bases);
}

StepTimes simulated(const StepWork& work, std::optional<std::uint64_t> seed) {
  Engine engine(work, nullptr);
  const std::vector<Rank>& ranks = engine.run();
  const Rank& slowest = slowest_of(ranks);
  SlowestReplica replica(work, seed);
  for (std::size_t stage = 0; stage < ranks.size(); ++stage) replica.add(stage, ranks[stage].parts);
  return account_of(slowest, slowest, end_of(ranks), replica.wait(), work);
}

}  // namespace

StepTimes simulate(const StepWork& work) { return simulated(work, std::nullopt); }

StepTimes simulate(const StepWork& work, std::uint64_t seed) { return simulated(work, seed); }

std::vector<StepTimes> simulate_stages(const StepWork& work) {
  Engine engine(work, nullptr);
  const std::vector<Rank>& ranks = engine.run();
  std::vector<StepTimes> stages;
  for (const Rank& rank : ranks)
    stages.push_back(account_of(rank, slowest_of(ranks), end_of(ranks), {}, work));
  return stages;
}

Timeline record_timeline(const StepWork& work) {
  Timeline timeline;
  Engine engine(work, &timeline.spans);
  const std::vector<Rank>& ranks = engine.run();
  const Rank* last = &ranks.front();
  for (const Rank& rank : ranks) {
    timeline.stages.push_back(account_of(rank, slowest_of(ranks), end_of(ranks), {}, work));
    if (rank.now() > last->now()) last = &rank;
  }
  for (int i = last->last_span(); i >= 0; i = timeline.spans[static_cast<std::size_t>(i)].cause)
    timeline.critical_path.push_back(i);
  std::reverse(timeline.critical_path.begin(), timeline.critical_path.end());
  return timeline;
}

}  // namespace timeline
}  // namespace tofn
