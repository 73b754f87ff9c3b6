#include <cmath>
#include <numeric>
#include <optional>
#include <vector>

#include "tests/catch.hpp"
#include "tests/laws/step_works.hpp"

// Compares steps whose repeated rounds of micro-batches are simulated once with the whole run.
using namespace tofn;
using namespace tofn::test;

namespace {

StepKind drawn_kind(Random& random, PipelineSchedule schedule) {
  const auto is_so = [&](int of) { return whole(random, 1, of) == 1; };
  StepKind kind{.schedule = schedule,
                .interleaved = traits_of(schedule).chunks.most > 1 && is_so(2),
                .uneven = is_so(2),
                .vocabulary = is_so(2),
                .data = is_so(2),
                .sharded = is_so(2),
                .sends = is_so(2),
                .waits_for_sends = is_so(3),
                .unlike_links = is_so(2)};
  kind.reduces_each = kind.data && is_so(3);
  kind.pairs = kind.interleaved && is_so(3) && traits_of(schedule).chunks.most > 2 &&
               !traits_of(schedule).forwards_first;
  return kind;
}

StepWork drawn_work(Random& random, PipelineSchedule schedule) {
  const StepKind kind = drawn_kind(random, schedule);
  StepWork work = random_work(random, kind);
  const int stages = static_cast<int>(work.stages.size());
  work.micro_batches = stages * whole(random, 5, 24);
  if (!runs_in_groups(schedule, static_cast<int>(work.stages.front().size())))
    work.micro_batches += whole(random, 0, stages - 1);
  return work;
}

template <class F>
void for_each_drawn_work(F f) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Random random(seed);
    for (int i = 0; i < 4; ++i)
      for (const auto& [name, schedule] : pipeline_schedules) {
        INFO("seed " << seed << ", step " << i << ", " << name);
        f(drawn_work(random, schedule), random);
      }
  }
}

Seconds sum_of(const std::vector<PartTimes>& stages) {
  Seconds sum;
  for (const PartTimes& parts : stages) sum = std::accumulate(parts.begin(), parts.end(), sum);
  return sum;
}

}  // namespace

TEST_CASE("rounds that repeat are told once, and each stage's account is that of the whole run") {
  constexpr double rounding = 1e-11;  // relative to the step
  for_each_drawn_work([](const StepWork& work, Random&) {
    const std::vector<StepTimes> stages = simulate_stages(work);
    const std::vector<StepTimes> all = record_timeline(work).stages;
    REQUIRE(stages.size() == all.size());
    for (std::size_t stage = 0; stage < all.size(); ++stage) {
      const double room = rounding * all[stage].total.base();
      CHECK_THAT(stages[stage].total.base(), WithinAbs(all[stage].total.base(), room));
      CHECK_THAT(stages[stage].communication.base(),
                 WithinAbs(all[stage].communication.base(),
                           room + rounding * all[stage].communication.base()));
      for (std::size_t part = 0; part < step_parts.size(); ++part)
        CHECK_THAT(stages[stage].parts[part].base(),
                   WithinAbs(all[stage].parts[part].base(), room));
    }
  });
}

TEST_CASE("a step of ten million micro-batches has the length of its formula") {
  constexpr int count = 9'999'990;
  for (const int stages : {1, 2, 3, 5, 9})
    for (const int chunks : {1, 3}) {
      if (stages == 1 && chunks > 1) continue;
      INFO(stages << " stages, " << chunks << " chunks");
      const int micro_batches = count / stages * stages;
      const StepTimes times = simulate(plain_work(stages, chunks, micro_batches));
      CHECK_THAT(times.total.base(),
                 WithinRel(3.0 * (1.0 * chunks * micro_batches + stages - 1), 1e-12));
      CHECK_THAT(part_of(times, StepPart::Bubble).base(), WithinAbs(3.0 * (stages - 1), 1e-3));
    }
}

TEST_CASE(
    "a step is simulated up to a time where it ends by then, and is absent where it does not") {
  for_each_drawn_work([](const StepWork& work, Random& random) {
    const StepTimes times = simulate(work);
    const Seconds most = (0.8 + 0.4 * random.uniform()) * times.total;
    const std::optional<StepTimes> up_to = simulate_up_to(work, most);
    if (most >= times.total) REQUIRE(up_to);
    if (up_to) CHECK(up_to->total == times.total);
    CHECK(simulate_up_to(work, times.total));
    CHECK_FALSE(simulate_up_to(work, 0.1 * times.total));
  });
}

TEST_CASE("the critical path of repeated rounds is as long as the step") {
  int alike = 0;
  int compared = 0;
  for_each_drawn_work([&](const StepWork& work, Random&) {
    const Timeline timeline = record_timeline(work);
    const std::vector<PartTimes> path = critical_path_times(work);
    Seconds end;
    for (const Span& span : timeline.spans) end = std::max(end, span.finish);
    CHECK_THAT(sum_of(path).base(), WithinRel(end.base(), 1e-9));
    std::vector<PartTimes> all(work.stages.size());
    for (const int i : timeline.critical_path) {
      const Span& span = timeline.spans[static_cast<std::size_t>(i)];
      all[static_cast<std::size_t>(span.stage)][static_cast<std::size_t>(span.part)] +=
          span.finish - span.start;
    }
    double off = 0;
    for (std::size_t stage = 0; stage < all.size(); ++stage)
      for (std::size_t part = 0; part < step_parts.size(); ++part)
        off = std::max(off, std::abs((all[stage][part] - path[stage][part]) / end));
    ++compared;
    alike += off < 1e-6;
  });
  // If two stages wait for each other at the same time, rounding decides which one counts.
  CHECK(alike > 0.9 * compared);
}
