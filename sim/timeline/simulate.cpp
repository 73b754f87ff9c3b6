#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

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

/// Rank of the stage with the most to do; of equal ones, that of the stage that ends last.
const Rank& slowest_of(const std::vector<Rank>& ranks) {
  return *std::ranges::max_element(ranks, [](const Rank& a, const Rank& b) {
    const Seconds first = busy_time(a.parts);
    const Seconds second = busy_time(b.parts);
    return first == second ? a.now() < b.now() : first < second;
  });
}

StepTimes account_of(const Rank& rank, const Rank& slowest, Seconds end, Seconds for_replica,
                     const StepWork& work) {
  const StageActivity activity{.parts = rank.parts,
                               .waiting = rank.waiting + (end - rank.now()),
                               .communication = rank.communication};
  return account(activity, slowest.parts, for_replica, work.bases);
}

/// Ranks of a step at its end. Rounds of micro-batches are run until they repeat, and the rest are
/// copies of the last round, so that many micro-batches cost no more to simulate than a few.
class Run {
 public:
  explicit Run(const StepWork& work,
               Seconds limit = Seconds{std::numeric_limits<double>::infinity()});

  /// True if the step ended; otherwise it would have ended after the limit.
  bool is_done() const { return is_done_; }
  const std::vector<Rank>& ranks() const { return engine_->ranks(); }
  /// Micro-batches that were run. `round` is the number in a round that repeats; 0 if none does.
  int micro_batches() const { return micro_batches_; }
  int round() const { return round_; }

 private:
  int with_end(int last_mark) const;
  bool repeats(int last_mark, Seconds limit);

  const StepWork& work_;
  std::optional<Engine> engine_;
  bool is_done_ = false;
  int micro_batches_;
  int round_ = 0;
};

Run::Run(const StepWork& work, Seconds limit) : work_(work), micro_batches_(work.micro_batches) {
  const int stages = static_cast<int>(work.stages.size());
  const bool alternates = !traits_of(work.schedule).forwards_first;
  // Every order settles within two micro-batches per stage; how long the times take to settle
  // depends on their values.
  for (int last = 4 * stages; alternates && 2 * with_end(last) <= work.micro_batches; last *= 4)
    if (repeats(last, limit)) return;
  micro_batches_ = work.micro_batches;
  engine_.emplace(work, micro_batches_);
  is_done_ = engine_->run(limit);
}

/// Micro-batches to run so that the pipeline is full at the mark, and the last group is as large as
/// the step's.
int Run::with_end(int last_mark) const {
  const int stages = static_cast<int>(work_.stages.size());
  return last_mark + stages + (work_.micro_batches - last_mark) % stages;
}

/// True if rounds repeat by the last mark, or if the run stopped at the limit before it.
bool Run::repeats(int last_mark, Seconds limit) {
  const PipelineShape shape = shape_of(work_);
  const int every = runs_in_groups(shape.schedule, shape.chunks) ? shape.stages : 1;
  micro_batches_ = with_end(last_mark);
  for (round_ = 0;;) {
    engine_.emplace(work_, micro_batches_);
    engine_->mark(last_mark / 2, every, last_mark);
    is_done_ = engine_->run(limit);
    const auto marks = is_done_ ? engine_->repeated_marks() : std::nullopt;
    if (!marks) return !is_done_;
    round_ = *marks * every;
    const int others = work_.micro_batches - micro_batches_;
    if (others % round_ == 0) {
      engine_->repeat(*marks, others / round_);
      return true;
    }
    micro_batches_ += others % round_;
  }
}

StepTimes times_of(const Run& run, const StepWork& work, std::optional<std::uint64_t> seed) {
  const std::vector<Rank>& ranks = run.ranks();
  const Rank& slowest = slowest_of(ranks);
  SlowestReplica replica(work, seed);
  for (std::size_t stage = 0; stage < ranks.size(); ++stage) replica.add(stage, ranks[stage].parts);
  return account_of(slowest, slowest, end_of(ranks), replica.wait(), work);
}

/// Times on the critical path by stage and part, if the step has `micro_batches` micro-batches.
std::vector<PartTimes> path_times(StepWork work, int micro_batches) {
  work.micro_batches = micro_batches;
  const Timeline timeline = record_timeline(work);
  std::vector<PartTimes> times(work.stages.size());
  for (const int i : timeline.critical_path) {
    const Span& span = timeline.spans[static_cast<std::size_t>(i)];
    part(times[static_cast<std::size_t>(span.stage)], span.part) += span.finish - span.start;
  }
  return times;
}

}  // namespace

StepTimes simulate(const StepWork& work) { return times_of(Run(work), work, std::nullopt); }

StepTimes simulate(const StepWork& work, std::uint64_t seed) {
  return times_of(Run(work), work, seed);
}

std::optional<StepTimes> simulate_up_to(const StepWork& work, Seconds most) {
  constexpr double rounding = 1e-9;
  const Run run(work, (1 + rounding) * most);
  if (!run.is_done()) return {};
  return times_of(run, work, std::nullopt);
}

std::vector<StepTimes> simulate_stages(const StepWork& work) {
  const Run run(work);
  const std::vector<Rank>& ranks = run.ranks();
  std::vector<StepTimes> stages;
  for (const Rank& rank : ranks)
    stages.push_back(account_of(rank, slowest_of(ranks), end_of(ranks), {}, work));
  return stages;
}

Timeline record_timeline(const StepWork& work) {
  Timeline timeline;
  Engine engine(work, work.micro_batches, &timeline.spans);
  engine.run();
  const std::vector<Rank>& ranks = engine.ranks();
  const Rank* last = &ranks.front();
  for (const Rank& rank : ranks) {
    timeline.stages.push_back(account_of(rank, slowest_of(ranks), end_of(ranks), {}, work));
    if (rank.now() > last->now()) last = &rank;
  }
  for (int i = last->last_span(); i >= 0; i = timeline.spans[static_cast<std::size_t>(i)].cause)
    timeline.critical_path.push_back(i);
  std::ranges::reverse(timeline.critical_path);
  return timeline;
}

/// If rounds repeat, the path goes through each of them in the same way once it does through two.
std::vector<PartTimes> critical_path_times(const StepWork& work) {
  constexpr double rounding = 1e-9;
  const Run run(work);
  const int others = work.micro_batches - run.micro_batches();
  if (others == 0) return path_times(work, work.micro_batches);
  const auto with_rounds = [&](int rounds) {
    return path_times(work, run.micro_batches() + rounds * run.round());
  };
  const std::array few{with_rounds(0), with_rounds(1), with_rounds(2)};
  std::vector<PartTimes> times = few[0];
  for (std::size_t stage = 0; stage < times.size(); ++stage)
    for (std::size_t i = 0; i < step_parts.size(); ++i) {
      const auto round = [&](std::size_t of) { return few[of + 1][stage][i] - few[of][stage][i]; };
      if (std::abs((round(1) - round(0)).base()) > rounding * few[0][stage][i].base())
        return path_times(work, work.micro_batches);
      times[stage][i] += 1.0 * others / run.round() * round(0);
    }
  return times;
}

}  // namespace timeline
}  // namespace tofn
