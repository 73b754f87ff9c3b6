#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "sim/core/statistics.hpp"
#include "tests/catch.hpp"
#include "tests/laws/step_works.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Tolerance for the rounding of some thousand additions.
constexpr double timeline_laws_rounding = 1e-11;
constexpr auto one_forward_one_backward = PipelineSchedule::OneForwardOneBackward;

bool timeline_laws_at_most(Seconds a, Seconds b) {
  return a.base() <= b.base() * (1 + timeline_laws_rounding);
}

/// Calls f(work) for several steps of every kind.
template <class F>
void for_each_work(F f) {
  for_each_seed([&](Random& random) {
    for (int i = 0; i < 15; ++i) {
      const auto schedule = static_cast<std::size_t>(i) % pipeline_schedules.size();
      const StepKind kind{.schedule = pipeline_schedules[schedule].second,
                          .interleaved = whole(random, 0, 2) == 0,
                          .uneven = whole(random, 0, 1) == 0,
                          .vocabulary = whole(random, 0, 1) == 0,
                          .data = whole(random, 0, 1) == 0,
                          .sharded = whole(random, 0, 2) == 0,
                          .sends = whole(random, 0, 1) == 0,
                          .reduces_each = whole(random, 0, 2) == 0,
                          .waits_for_sends = whole(random, 0, 1) == 0,
                          .unlike_links = whole(random, 0, 1) == 0};
      INFO("case " << i);
      f(random_work(random, kind));
    }
  });
}

constexpr std::array own_parts{StepPart::Compute, StepPart::Launch, StepPart::Optimizer};

/// Compute, launch and optimizer times of a stage, summed over its layers.
StepTimes held_by(const StepWork& work, std::size_t stage) {
  StepTimes held;
  for (const ChunkTimes& chunk : work.stages[stage])
    for (const LayerTimes& layer : chunk.layers())
      for (const LayerPass& pass : {layer.forward, layer.backward}) {
        const double times = layer.count * work.micro_batches;
        part(held.parts, StepPart::Compute) += times * pass.compute;
        part(held.parts, StepPart::Launch) += times * pass.launch;
      }
  part(held.parts, StepPart::Optimizer) = work.optimizer[stage];
  return held;
}

bool equal_own_parts(const StepTimes& a, const StepTimes& b) {
  return std::all_of(own_parts.begin(), own_parts.end(), [&](StepPart which) {
    const double one = part_of(a, which).base();
    return std::abs(one - part_of(b, which).base()) <= timeline_laws_rounding * one;
  });
}

double bubble_over_compute(const StepWork& work) {
  const StepTimes times = simulate(work);
  return part_of(times, StepPart::Bubble) / part_of(times, StepPart::Compute);
}

}  // namespace

TEST_CASE("the bubble of equal stages that only compute") {
  for (const int stages : {1, 2, 4, 8, 16})
    for (const int rounds : {1, 2, 5}) {
      const int micro_batches = stages * rounds;
      const double ideal = (stages - 1.0) / micro_batches;
      INFO(stages << " stages, " << micro_batches << " micro-batches");
      const StepWork plain = plain_work(stages, 1, micro_batches);
      CHECK_THAT(bubble_over_compute(plain), WithinAbs(ideal, timeline_laws_rounding));
      const StepTimes times = simulate(plain);
      CHECK_THAT(part_of(times, StepPart::Bubble) / times.total,
                 WithinAbs((stages - 1.0) / (micro_batches + stages - 1), timeline_laws_rounding));
      CHECK_THAT(bubble_over_compute(plain_work(stages, 1, micro_batches, PipelineSchedule::GPipe)),
                 WithinAbs(ideal, timeline_laws_rounding));
      if (stages == 1) continue;
      for (const int chunks : {2, 3, 4})
        for (const auto schedule : {one_forward_one_backward, PipelineSchedule::BreadthFirst})
          CHECK_THAT(bubble_over_compute(plain_work(stages, chunks, micro_batches, schedule)),
                     WithinAbs(ideal / chunks, timeline_laws_rounding));
    }
}

TEST_CASE("zero-bubble leaves a third of the bubble where F = B = W") {
  for (const int stages : {2, 4, 8, 16})
    for (const int rounds : {2, 4}) {
      const int micro_batches = stages * rounds;
      const double ideal = (stages - 1.0) / micro_batches;
      const double left =
          bubble_over_compute(plain_work(stages, 1, micro_batches, PipelineSchedule::ZeroBubble));
      CHECK(left <= ideal / 3 + timeline_laws_rounding);
      CHECK(left > 0);
    }
}

// All stages end a step together, so the last one's way down the V is not hidden.
TEST_CASE("no stage of zb-v stands still between its passes where F = B = W") {
  for (const int stages : {2, 3, 4, 8, 16})
    for (const int micro_batches : {2 * stages - 1, 2 * stages, 3 * stages + 1, 5 * stages}) {
      INFO(stages << " stages, " << micro_batches << " micro-batches");
      const StepWork work = plain_work(stages, 2, micro_batches, PipelineSchedule::ZeroBubbleV);
      const Timeline timeline = record_timeline(work);
      std::vector<Seconds> first(static_cast<std::size_t>(stages), Seconds{1e9});
      std::vector<Seconds> last(first.size());
      for (const Span& span : timeline.spans) {
        const auto stage = static_cast<std::size_t>(span.stage);
        first[stage] = std::min(first[stage], span.start);
        last[stage] = std::max(last[stage], span.finish);
      }
      for (std::size_t stage = 0; stage < first.size(); ++stage) {
        CHECK(first[stage] == Seconds{static_cast<double>(stage)});
        CHECK(last[stage] - first[stage] == Seconds{6.0 * micro_batches});
      }
      CHECK(bubble_over_compute(work) == Approx((stages - 1.0) / (6 * micro_batches)));
      CHECK(closed_form(work).total == Seconds{6.0 * micro_batches + stages - 1});
      const StepWork half = plain_work(stages, 1, micro_batches, PipelineSchedule::ZeroBubble);
      CHECK(bubble_over_compute(work) <= bubble_over_compute(half) / 2 + timeline_laws_rounding);
    }
}

namespace {

PipelineSchedule law_schedule(std::string_view wanted) {
  for (const auto& [name, schedule] : pipeline_schedules)
    if (name == wanted) return schedule;
  throw std::logic_error("no such schedule");
}

}  // namespace

// arXiv 2405.15362, table 1: v-half is between ZB-V without a bubble and 1F1B.
TEST_CASE("v-half has half of 1F1B's bubble where F = B = W") {
  for (const int stages : {4, 8, 16})
    for (const int micro_batches : {2 * stages, 4 * stages}) {
      INFO(stages << " stages, " << micro_batches << " micro-batches");
      const StepWork half = plain_work(stages, 2, micro_batches, law_schedule("v-half"));
      const StepWork other =
          plain_work(stages, 1, micro_batches, PipelineSchedule::OneForwardOneBackward);
      CHECK(bubble_over_compute(half) / bubble_over_compute(other) == Approx(0.5).epsilon(0.15));
    }
}

// github.com/deepseek-ai/DualPipe, README.md: p stages of half a rank's layers have the bubble (p /
// 2 - 1)(F&B + B - 3 W), where a pair takes as long as its passes. The simulation agrees if F, B -
// W and W are alike. Otherwise it is a little less, because waits of unlike passes hide each other.
TEST_CASE("dualpipe-v's bubble is its authors'") {
  for (const int ranks : {2, 4, 8})
    for (const double weights : {1.0, 0.75, 0.5}) {
      StepWork work = plain_work(ranks, 2, 4 * ranks, law_schedule("dualpipe-v"));
      LayerTimes layer = work.stages[0][0].layers()[0];
      layer.backward.weight_gradients = Seconds{weights};
      for (auto& chunks : work.stages)
        for (ChunkTimes& chunk : chunks) chunk = ChunkTimes{{layer}};
      const double bubble = (ranks - 1) * (3 + 2 - 3 * weights);
      INFO(ranks << " ranks, W = " << weights);
      const double simulated = simulate(work).total.base() - 2 * 3 * 4 * ranks;
      CHECK(simulated <= bubble * (1 + 1e-9));
      CHECK(simulated >= (weights == 1 ? 1 - 1e-9 : 0.8) * bubble);
    }
}

// arXiv 2211.05322: the input of a pass is sent one pass ahead, so that sends of a third of a pass
// cost nothing, except on the way of the first and the last micro-batch.
TEST_CASE("eager 1F1B hides sends that 1F1B waits for") {
  for (const int stages : {4, 8}) {
    StepWork eager = plain_work(stages, 1, 8 * stages, law_schedule("eager-1f1b"));
    StepWork other = plain_work(stages, 1, 8 * stages, PipelineSchedule::OneForwardOneBackward);
    CHECK(simulate(eager).total == simulate(other).total);
    for (StepWork* work : {&eager, &other})
      work->send.assign(static_cast<std::size_t>(stages), Seconds{0.3});
    INFO(stages << " stages");
    CHECK(simulate(eager).total < simulate(other).total);
    const Seconds way = 2 * (stages - 1) * Seconds{0.3};
    CHECK(simulate(eager).total.base() ==
          Approx((3.0 * (9 * stages - 1) + way.base())).epsilon(1e-9));
  }
}

TEST_CASE("every schedule runs to its end, short last groups included") {
  for (const auto& [name, schedule] : pipeline_schedules)
    for (int stages = 1; stages <= 7; ++stages)
      for (int chunks = 1; chunks <= 4; ++chunks)
        for (int micro_batches = 1; micro_batches <= 16; ++micro_batches) {
          const ChunkCount legal = traits_of(schedule).chunks;
          if (legal.least > 1 && !legal.holds(chunks)) continue;
          const StepTimes times = simulate(plain_work(stages, chunks, micro_batches, schedule));
          INFO(name << ", " << stages << " stages, " << chunks << " chunks, " << micro_batches);
          REQUIRE(part_of(times, StepPart::Compute) == Seconds{3.0 * chunks * micro_batches});
        }
}

TEST_CASE("no part of a step is negative") {
  for_each_work([](const StepWork& work) {
    for (const StepTimes& times : {simulate(work), closed_form(work), simulate(work, 3)})
      for (const Seconds time : times.parts) {
        REQUIRE(std::isfinite(time.base()));
        REQUIRE(time >= Seconds{});
      }
  });
}

TEST_CASE(
    "a stage computes, launches and updates what its work holds, whatever else it waits for") {
  for_each_work([](const StepWork& work) {
    const std::vector<StepTimes> stages = simulate_stages(work);
    bool some_stage_is_the_closed_forms = false;
    const StepTimes closed = closed_form(work);
    for (std::size_t stage = 0; stage < stages.size(); ++stage) {
      const StepTimes held = held_by(work, stage);
      REQUIRE(equal_own_parts(stages[stage], held));
      some_stage_is_the_closed_forms |= equal_own_parts(closed, held);
    }
    REQUIRE(some_stage_is_the_closed_forms);
  });
}

TEST_CASE("layer by layer or a chunk at once, a step takes as long on every stage") {
  for_each_work([](const StepWork& work) {
    const Timeline timeline = record_timeline(work);
    const Seconds total = simulate(work).total;
    for (const StepTimes& stage : timeline.stages) {
      REQUIRE_THAT(stage.total.base(), WithinRel(total.base(), timeline_laws_rounding));
      for (const Seconds part : stage.parts) REQUIRE(part >= Seconds{});
    }
  });
}

TEST_CASE("streams do one thing at a time, and the critical path has no gap") {
  for_each_work([](const StepWork& work) {
    const Timeline timeline = record_timeline(work);
    std::vector<Seconds> free(work.stages.size() * streams.size());
    for (const Span& span : timeline.spans) {
      Seconds& at = free[static_cast<std::size_t>(span.stage) * streams.size() +
                         static_cast<std::size_t>(span.stream)];
      REQUIRE(span.start >= at);
      at = span.finish;
    }
    Seconds now;
    for (const int i : timeline.critical_path) {
      const Span& span = timeline.spans[static_cast<std::size_t>(i)];
      REQUIRE(span.start == now);
      now = span.finish;
    }
    REQUIRE_THAT(now.base(), WithinRel(timeline.stages[0].total.base(), timeline_laws_rounding));
  });
}

TEST_CASE("overlap is never slower than none") {
  for_each_work([](StepWork work) {
    work.data_overlap = true;
    const Seconds overlapped = simulate(work).total;
    StepWork alone = work;
    alone.data_overlap = false;
    for (auto& stage : alone.stages)
      for (ChunkTimes& chunk : stage)
        for (LayerTimes& layer : chunk.own_layers())
          for (LayerPass* pass : {&layer.forward, &layer.backward})
            for (std::size_t i = 0; i < pass->overlapped.size(); ++i) {
              pass->exposed[i] += pass->overlapped[i];
              pass->overlapped[i] = Seconds{};
            }
    REQUIRE(timeline_laws_at_most(overlapped, simulate(alone).total));
  });
}

TEST_CASE("less slowdown never lengthens a step; with all of it overlap gains nothing") {
  for_each_work([](StepWork work) {
    Seconds before;
    for (const double slowdown : {0.0, 0.3, 0.8, 1.0}) {
      work.slowdown = uniform_slowdown(slowdown);
      const Seconds now = simulate(work).total;
      REQUIRE(timeline_laws_at_most(before, now));
      before = now;
    }
  });
}

TEST_CASE("adding a layer or a micro-batch never shortens a step") {
  for_each_work([](StepWork work) {
    const Seconds before = simulate(work).total;
    StepWork longer = work;
    longer.stages.back().front().own_layers().front().count += 1;
    REQUIRE(timeline_laws_at_most(before, simulate(longer).total));
    work.micro_batches += 1;
    REQUIRE(timeline_laws_at_most(before, simulate(work).total));
  });
}

TEST_CASE("replicas cost time, but no more events") {
  StepWork work = plain_work(4, 1, 8);
  work.rank_noise = 0.01;
  work.replicas = 8;
  const StepTimes few = simulate(work);
  // Blom approximates the expected largest of 8 standard normal values, which is 1.4236 exactly.
  CHECK_THAT(part_of(few, StepPart::Imbalance).base(), WithinRel(0.01 * 24 * 1.4236, 0.01));
  work.replicas = 1e6;
  const StepTimes many = simulate(work);
  CHECK(part_of(many, StepPart::Imbalance) > part_of(few, StepPart::Imbalance));
  CHECK(part_of(many, StepPart::Bubble) == part_of(few, StepPart::Bubble));
  double mean = 0;
  for (std::uint64_t seed = 0; seed < 2000; ++seed)
    mean += part_of(simulate(work, seed), StepPart::Imbalance).base() / 2000;
  CHECK_THAT(mean, WithinRel(part_of(many, StepPart::Imbalance).base(), 0.02));
  CHECK(simulate(work, 5).total == simulate(work, 5).total);
}

namespace {

/// Seconds that equal replicas add to a step, by its events and by its closed form.
std::pair<Seconds, Seconds> added_by_replicas(StepWork work) {
  work.rank_noise = 0.02;
  work.replicas = 64;
  const std::pair with_noise{simulate(work).total, closed_form(work).total};
  work.rank_noise = 0;
  return {with_noise.first - simulate(work).total, with_noise.second - closed_form(work).total};
}

void make_passes_wait(StepWork& work, Random& random) {
  for (auto& stage : work.stages)
    for (ChunkTimes& chunk : stage)
      for (LayerTimes& layer : chunk.own_layers()) {
        layer.forward.host = Seconds{3 * random.uniform()};
        layer.backward.host = Seconds{6 * random.uniform()};
        layer.backward.exposed[0] = 3 * layer.backward.exposed[0];
      }
}

}  // namespace

TEST_CASE("no replica is slower for the host that it waits for, nor for its links") {
  for_each_seed([](Random& random) {
    StepWork work = random_work(random, {.vocabulary = true, .data = true});
    work.stages.resize(1);
    const Seconds noise = added_by_replicas(work).first;
    CHECK(noise > Seconds{});
    make_passes_wait(work, random);
    const auto [events, closed] = added_by_replicas(work);
    CHECK_THAT(events.base(), WithinRel(noise.base(), 1e-6));
    CHECK_THAT(closed.base(), WithinRel(noise.base(), 1e-6));
  });
}

TEST_CASE("of a pipeline replicas add what the stage does that then takes longest") {
  StepWork work = plain_work(2, 1, 10);
  work.stages[1][0].own_layers()[0].forward.compute = Seconds{1.5};
  const Seconds of_busiest = added_by_replicas(work).first;
  CHECK_THAT(of_busiest.base(), WithinRel(0.02 * 35 * expected_maximum(64), 1e-9));
  // The first stage is the busiest with 10 x 3.52 s, but no longer in the slowest replica.
  work.stages[0][0].own_layers()[0].forward.exposed[0] = Seconds{0.52};
  CHECK_THAT(added_by_replicas(work).first.base(),
             WithinRel(0.02 * 35 * expected_maximum(64) - 10 * 0.02, 1e-9));
  work.stages[0][0].own_layers()[0].forward.exposed[0] = Seconds{2};
  CHECK_THAT(added_by_replicas(work).first.base(),
             WithinRel(0.02 * 30 * expected_maximum(64), 1e-9));
}

TEST_CASE(
    "a slower send between two stages never shortens a step, and others' cost at most as much") {
  for_each_work([](StepWork work) {
    const Seconds before = simulate(work).total;
    if (work.send.empty()) return;
    StepWork all = work;
    for (Seconds& send : all.send) send = 2 * send;
    const Seconds slowest = simulate(all).total;
    for (std::size_t stage = 0; stage < work.send.size(); ++stage) {
      StepWork slower = work;
      slower.send[stage] = 2 * slower.send[stage];
      const Seconds after = simulate(slower).total;
      REQUIRE(timeline_laws_at_most(before, after));
      REQUIRE(timeline_laws_at_most(after, slowest));
    }
  });
}
