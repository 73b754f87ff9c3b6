#include <algorithm>
#include <cmath>

#include "tests/catch.hpp"
#include "tests/laws/step_works.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// How far the closed form may be off the events, in %: 1, or what was measured on 3,000 steps of
/// a kind that differs, rounded up.
struct Difference {
  const char* kind;
  double mean;
  double worst;
};
constexpr Difference plain{"one chunk a stage", 0.05, 1};
// A steady state of many stages that does not fit a whole number of times into the micro-batches,
// and zero-bubble stages with fewer micro-batches than stages, are estimated.
constexpr Difference estimated{"one chunk a stage, sends or zero-bubble", 0.1, 2.5};
// Sends between groups, and collectives still under way in the next chunk's passes, are estimated.
constexpr Difference interleaved{"interleaved", 0.5, 10};
// How much of the waiting for each other's longer chunks is hidden is estimated: half of it.
constexpr Difference uneven_chunks{"interleaved, uneven chunks", 1.5, 10};
// Nothing of it is counted, as weight gradients fill it in part.
constexpr Difference uneven_zero_bubble{"interleaved zero-bubble, uneven chunks", 3, 25};
// Sends of GPipe's groups queue; weight gradients that fill the gaps between groups are estimated.
constexpr Difference other_chunks{"interleaved GPipe or zero-bubble", 1.5, 10};

const Difference& difference_of(const StepKind& kind) {
  if (!kind.interleaved)
    return kind.sends || kind.schedule == PipelineSchedule::ZeroBubble ? estimated : plain;
  if (kind.uneven)
    return kind.schedule == PipelineSchedule::ZeroBubble ? uneven_zero_bubble : uneven_chunks;
  if (kind.schedule != PipelineSchedule::OneForwardOneBackward) return other_chunks;
  return interleaved;
}

StepKind kind_of(int i) {
  return {.schedule = pipeline_schedules[static_cast<std::size_t>(i) % 3].second,
          .interleaved = i / 3 % 3 == 0,
          .uneven = i / 9 % 2 == 0,
          .vocabulary = i / 18 % 2 == 0,
          .data = i / 36 % 2 == 0,
          .sharded = i / 72 % 2 == 0,
          .sends = i / 144 % 2 == 0,
          .waits_for_sends = i / 288 % 2 == 0};
}

}  // namespace

TEST_CASE("the closed form agrees with the events") {
  const int steps = 3000;
  for (const Difference* each :
       {&plain, &estimated, &interleaved, &uneven_chunks, &uneven_zero_bubble, &other_chunks}) {
    Random random(11);
    double sum = 0;
    double worst = 0;
    int count = 0;
    for (int i = 0; i < steps; ++i) {
      const StepKind kind = kind_of(i);
      const StepWork work = random_work(random, kind);
      if (&difference_of(kind) != each) continue;
      const double off = 100 * std::abs(closed_form(work).total / simulate(work).total - 1);
      sum += off;
      worst = std::max(worst, off);
      ++count;
    }
    INFO(each->kind << ": " << count << " steps, mean " << sum / count << " %, worst " << worst);
    CHECK(count >= 150);
    CHECK(sum / count <= each->mean);
    CHECK(worst <= each->worst);
  }
}

TEST_CASE("the closed form agrees where sends take unlike times") {
  Random random(17);
  double sum = 0;
  double worst = 0;
  const int steps = 1200;
  for (int i = 0; i < steps; ++i) {
    StepKind kind = kind_of(i);
    kind.interleaved = false;
    kind.sends = kind.unlike_links = true;
    kind.waits_for_sends = i % 2 == 0;
    const StepWork work = random_work(random, kind);
    const double off = 100 * std::abs(closed_form(work).total / simulate(work).total - 1);
    sum += off;
    worst = std::max(worst, off);
  }
  INFO("mean " << sum / steps << " %, worst " << worst);
  CHECK(sum / steps <= estimated.mean);
  CHECK(worst <= estimated.worst);
}

TEST_CASE("the closed form agrees where gradients of each micro-batch travel") {
  Random random(13);
  double sum = 0;
  double worst = 0;
  const int steps = 600;
  for (int i = 0; i < steps; ++i) {
    StepKind kind = kind_of(i);
    kind.interleaved = kind.sends = false;
    kind.data = kind.reduces_each = true;
    StepWork work = random_work(random, kind);
    work.stages.resize(1);
    const double off = 100 * std::abs(closed_form(work).total / simulate(work).total - 1);
    sum += off;
    worst = std::max(worst, off);
  }
  INFO("mean " << sum / steps << " %, worst " << worst);
  CHECK(sum / steps <= 0.05);
  CHECK(worst <= 1);
}

TEST_CASE("a step without pipeline has no waiting in the closed form either, and the same parts") {
  Random random(5);
  for (int i = 0; i < 300; ++i) {
    StepWork work = random_work(random, {.data = true, .sharded = i % 2 == 0});
    work.stages.resize(1);
    const StepTimes events = simulate(work);
    const StepTimes form = closed_form(work);
    const double room = 0.01 * events.total.base();
    for (std::size_t part = 0; part < step_parts.size(); ++part) {
      INFO(step_parts[part].first);
      CHECK_THAT(form.parts[part].base(), WithinAbs(events.parts[part].base(), room));
    }
    CHECK(part_of(events, StepPart::Bubble) == Seconds{});
    CHECK_THAT(form.communication.base(), WithinRel(events.communication.base(), 1e-9));
  }
}
