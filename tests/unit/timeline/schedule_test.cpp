#include "sim/timeline/schedule.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Passes such as `F0 B0`, kind and micro-batch; letters name chunks above the first (`F0 Fb0`).
std::string text_of(const std::vector<Pass>& order) {
  std::string text;
  for (const Pass& pass : order) {
    text += text.empty() ? "" : " ";
    text += "FBW"[static_cast<std::size_t>(pass.kind)];
    if (pass.chunk > 0) text += static_cast<char>('a' + pass.chunk);
    text += std::to_string(pass.micro_batch);
  }
  return text;
}
std::string order_text(const PipelineShape& shape, int stage) {
  return text_of(stage_order(shape, stage));
}

constexpr auto one_forward_one_backward = PipelineSchedule::OneForwardOneBackward;
constexpr auto zero_bubble_v = PipelineSchedule::ZeroBubbleV;

/// A pass of a virtual stage: kind, virtual stage, micro-batch.
using Done = std::tuple<PassKind, int, int>;

/// Pass whose output this one needs; absent for a forward pass of the first virtual stage.
std::optional<Done> input_of(const Done& pass, int last) {
  const auto& [kind, part, i] = pass;
  if (kind == PassKind::WeightGradients) return Done{PassKind::Backward, part, i};
  if (kind == PassKind::Backward)
    return part == last ? Done{PassKind::Forward, part, i} : Done{kind, part + 1, i};
  if (part == 0) return std::nullopt;
  return Done{kind, part - 1, i};
}

/// Passes that run when each stage follows its order as far as its inputs allow.
std::set<Done> run_orders(const PipelineShape& shape) {
  const ChunkPlacement placement = traits_of(shape.schedule).placement;
  std::vector<std::vector<Done>> left;
  for (int stage = 0; stage < shape.stages; ++stage) {
    left.emplace_back();
    for (const Pass& pass : stage_order(shape, stage))
      left.back().emplace_back(
          pass.kind, placement.virtual_stage(shape.stages, {stage, pass.chunk}), pass.micro_batch);
    std::reverse(left.back().begin(), left.back().end());
  }
  std::set<Done> done;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    for (auto& passes : left)
      while (!passes.empty()) {
        const auto input = input_of(passes.back(), shape.stages * shape.chunks - 1);
        if (input && !done.contains(*input)) break;
        REQUIRE(done.insert(passes.back()).second);
        passes.pop_back();
        goes_on = true;
      }
  }
  return done;
}

}  // namespace

TEST_CASE("GPipe runs all forward passes first") {
  CHECK(order_text({PipelineSchedule::GPipe, 2, 1, 3}, 0) == "F0 F1 F2 B0 B1 B2");
}

// Order of "breadth-first" in a figure of arXiv 2211.05953, with looped placement.
TEST_CASE("breadth-first takes all micro-batches through a chunk before the next") {
  CHECK(order_text({PipelineSchedule::BreadthFirst, 2, 2, 3}, 0) ==
        "F0 F1 F2 Fb0 Fb1 Fb2 Bb0 Bb1 Bb2 B0 B1 B2");
  CHECK(order_text({PipelineSchedule::BreadthFirst, 2, 1, 3}, 1) ==
        order_text({PipelineSchedule::GPipe, 2, 1, 3}, 1));
}

// Order of 1F1B in a figure of arXiv 2104.04473: four devices, eight micro-batches.
TEST_CASE("1F1B holds no more micro-batches than there are stages from here on") {
  CHECK(order_text({one_forward_one_backward, 4, 1, 8}, 0) ==
        "F0 F1 F2 F3 B0 F4 B1 F5 B2 F6 B3 F7 B4 B5 B6 B7");
  CHECK(order_text({one_forward_one_backward, 4, 1, 8}, 3) ==
        "F0 B0 F1 B1 F2 B2 F3 B3 F4 B4 F5 B5 F6 B6 F7 B7");
  CHECK(order_text({one_forward_one_backward, 4, 1, 2}, 0) == "F0 F1 B0 B1");
}

// Order of Megatron-LM: 2 (stages behind) + (chunks - 1) stages passes of warm-up, in groups of
// micro-batches.
TEST_CASE("interleaved 1F1B takes groups of micro-batches through all chunks") {
  CHECK(order_text({one_forward_one_backward, 2, 2, 4}, 0) ==
        "F0 F1 Fb0 Fb1 F2 Bb0 F3 Bb1 Fb2 B0 Fb3 B1 Bb2 Bb3 B2 B3");
  CHECK(order_text({one_forward_one_backward, 2, 2, 4}, 1) ==
        "F0 F1 Fb0 Bb0 Fb1 Bb1 F2 B0 F3 B1 Fb2 Bb2 Fb3 Bb3 B2 B3");
  CHECK(order_text({one_forward_one_backward, 2, 2, 3}, 1) ==
        "F0 F1 Fb0 Bb0 Fb1 Bb1 F2 B0 B1 Fb2 Bb2 B2");
}

// Order of ZB-H1 in a figure of arXiv 2401.10241: weight gradients of stage s come s passes late.
TEST_CASE("zero-bubble runs weight gradients late, and the rest at the end") {
  CHECK(order_text({PipelineSchedule::ZeroBubble, 3, 1, 4}, 0) ==
        "F0 F1 F2 B0 W0 F3 B1 W1 B2 W2 B3 W3");
  CHECK(order_text({PipelineSchedule::ZeroBubble, 3, 1, 4}, 2) ==
        "F0 B0 F1 B1 F2 B2 W0 F3 B3 W1 W2 W3");
}

// Order by hand from the rule in schedule.hpp, because the figure of arXiv 2401.10241 was not
// available.
TEST_CASE("zb-v goes down the V and up again") {
  CHECK(order_text({zero_bubble_v, 4, 2, 8}, 0) ==
        "F0 F1 F2 F3 F4 F5 F6 "
        "Fb0 Bb0 Wb0 Fb1 Bb1 Wb1 Fb2 Bb2 Wb2 Fb3 Bb3 Wb3 "
        "F7 B0 W0 Fb4 Bb4 Wb4 B1 W1 Fb5 Bb5 Wb5 B2 W2 Fb6 Bb6 Wb6 B3 W3 Fb7 Bb7 Wb7 "
        "B4 W4 B5 W5 B6 W6 B7 W7");
  CHECK(order_text({zero_bubble_v, 4, 2, 8}, 3) ==
        "F0 Fb0 F1 Fb1 F2 Fb2 F3 Fb3 Bb0 Wb0 "
        "F4 B0 W0 Fb4 Bb1 Wb1 F5 B1 W1 Fb5 Bb2 Wb2 F6 B2 W2 Fb6 Bb3 Wb3 F7 B3 W3 Fb7 Bb4 Wb4 "
        "B4 Bb5 B5 Bb6 B6 Bb7 B7 W4 Wb5 Wb6 Wb7 W5 W6 W7");
}

TEST_CASE("of fewer micro-batches than fill the V those that are missing are left out") {
  CHECK(order_text({zero_bubble_v, 4, 2, 2}, 0) == "F0 F1 Fb0 Bb0 Wb0 Fb1 Bb1 Wb1 B0 W0 B1 W1");
  CHECK(order_text({zero_bubble_v, 4, 2, 1}, 3) == "F0 Fb0 Bb0 Wb0 B0 W0");
}

TEST_CASE("each pass of a zb-v pipeline runs once, after what it takes, on any number of stages") {
  for (int stages = 1; stages <= 16; ++stages)
    for (int micro_batches = 1; micro_batches <= 40; ++micro_batches) {
      CAPTURE(stages, micro_batches);
      REQUIRE(run_orders({zero_bubble_v, stages, 2, micro_batches}).size() ==
              pass_kinds * 2 * static_cast<std::size_t>(stages * micro_batches));
    }
}

// Steps of dualpipe/dualpipev.py of github.com/deepseek-ai/DualPipe by hand: 2 F0; F0 F1; B1 W F1;
// pairs; B1 and a pair; B1 B0, where B0 delays its W; W B0; W.
TEST_CASE("dualpipe-v goes down the V and up again in pairs") {
  const PipelineShape shape{pipeline_schedules.back().second, 2, 2, 4, true};
  CHECK(order_text(shape, 0) ==
        "F0 F1 F2 Fb0 Bb0 Wb0 Fb1 F3 Bb1 Fb2 B0 Bb2 Fb3 B1 Bb3 B2 W2 B3 W3");
  CHECK(order_text(shape, 1) == "F0 Fb0 F1 Fb1 F2 Bb0 Fb2 B0 F3 Bb1 Fb3 B1 Bb2 B2 Bb3 B3 Wb3 W3");
  std::string pairs;
  for (const Pass& pass : stage_order(shape, 0)) pairs += pass.paired ? '&' : '.';
  CHECK(pairs == ".......&&&&.&&.....");
}

TEST_CASE("each pass of dualpipe-v runs once, after what it takes, on any number of stages") {
  for (int stages = 2; stages <= 10; ++stages)
    for (int micro_batches = 1; micro_batches <= 30; ++micro_batches) {
      CAPTURE(stages, micro_batches);
      std::size_t forward_and_back = 0;
      for (const Done& pass :
           run_orders({pipeline_schedules.back().second, stages, 2, micro_batches, true}))
        if (std::get<0>(pass) != PassKind::WeightGradients) ++forward_and_back;
      REQUIRE(forward_and_back == 4 * static_cast<std::size_t>(stages * micro_batches));
    }
}

TEST_CASE("with fewer micro-batches dualpipe-v leaves out those that are not there") {
  for (int stages = 2; stages <= 5; ++stages)
    for (int micro_batches = 1; micro_batches < 2 * stages; ++micro_batches)
      for (int stage = 0; stage < stages; ++stage) {
        CAPTURE(stages, micro_batches, stage);
        const auto order_of = [&](int of) {
          std::vector<std::tuple<PassKind, int, int>> order;
          for (const Pass& pass :
               stage_order({pipeline_schedules.back().second, stages, 2, of, true}, stage))
            if (pass.micro_batch < micro_batches)
              order.emplace_back(pass.kind, pass.chunk, pass.micro_batch);
          return order;
        };
        CHECK(order_of(micro_batches) == order_of(2 * stages));
      }
}

// Megatron-LM warms up one pass longer, so that the passes of a pair do not wait for each other.
TEST_CASE("1F1B in pairs warms up one pass longer") {
  CHECK(order_text({one_forward_one_backward, 2, 2, 4, true}, 1) ==
        "F0 F1 Fb0 Fb1 Bb0 F2 Bb1 F3 B0 Fb2 B1 Fb3 Bb2 Bb3 B2 B3");
  CHECK(order_text({one_forward_one_backward, 1, 1, 3, true}, 0) == "F0 F1 B0 F2 B1 B2");
}

TEST_CASE("a stage warms up to the forward pass that its first backward pass follows") {
  for (const auto& [name, schedule] : pipeline_schedules)
    for (const int stages : {2, 3, 4}) {
      const int chunks = std::min(traits_of(schedule).chunks.most, 2);
      const PipelineShape shape{schedule, stages, chunks, 4 * stages};
      for (int stage = 0; stage < stages; ++stage) {
        const std::vector<Pass> order = stage_order(shape, stage);
        const auto first = std::find_if(order.begin(), order.end(), [](const Pass& pass) {
          return pass.kind == PassKind::Backward;
        });
        INFO(name << ", stage " << stage << " of " << stages);
        CHECK(first - order.begin() ==
              std::min(warm_up_passes(shape, stage) + 1, chunks * shape.micro_batches));
      }
    }
}

namespace {

PipelineSchedule schedule_named(std::string_view wanted) {
  for (const auto& [name, schedule] : pipeline_schedules)
    if (name == wanted) return schedule;
  throw std::logic_error("no such schedule");
}

/// Largest number of micro-batches that each chunk holds, from its forward pass to its last one.
std::vector<int> most_held(const PipelineShape& shape, int stage) {
  const bool split = traits_of(shape.schedule).splits_backward;
  std::vector<int> held(static_cast<std::size_t>(shape.chunks));
  std::vector<int> most = held;
  for (const Pass& pass : stage_order(shape, stage)) {
    const auto chunk = static_cast<std::size_t>(pass.chunk);
    if (pass.kind == PassKind::Forward) most[chunk] = std::max(most[chunk], ++held[chunk]);
    const PassKind last = split ? PassKind::WeightGradients : PassKind::Backward;
    if (pass.kind == last) --held[chunk];
  }
  return most;
}

}  // namespace

// Figure 5 of arXiv 2211.05322: two more forward passes for each stage behind.
TEST_CASE("eager 1F1B warms up with twice the passes") {
  const PipelineSchedule eager = schedule_named("eager-1f1b");
  CHECK(order_text({eager, 3, 1, 6}, 0) == "F0 F1 F2 F3 F4 B0 F5 B1 B2 B3 B4 B5");
  CHECK(order_text({eager, 3, 1, 6}, 1) == "F0 F1 F2 B0 F3 B1 F4 B2 F5 B3 B4 B5");
  CHECK(order_text({eager, 3, 1, 6}, 2) == order_text({one_forward_one_backward, 3, 1, 6}, 2));
}

TEST_CASE(
    "each pass of a v-half pipeline runs once, after what it takes, on any number of stages") {
  const PipelineSchedule half = schedule_named("v-half");
  for (int stages = 1; stages <= 12; ++stages)
    for (int micro_batches = 1; micro_batches <= 30; ++micro_batches) {
      CAPTURE(stages, micro_batches);
      REQUIRE(run_orders({half, stages, 2, micro_batches}).size() ==
              pass_kinds * 2 * static_cast<std::size_t>(stages * micro_batches));
    }
}

TEST_CASE("a chunk holds as many micro-batches as its schedule's order keeps") {
  for (const char* name : {"eager-1f1b", "v-half", "1f1b"})
    for (const int stages : {2, 4, 7, 16}) {
      const PipelineSchedule schedule = schedule_named(name);
      const int chunks = traits_of(schedule).chunks.least;
      const PipelineShape shape{schedule, stages, chunks, 4 * stages};
      for (int stage = 0; stage < stages; ++stage) {
        const std::vector<int> held = most_held(shape, stage);
        for (int chunk = 0; chunk < chunks; ++chunk) {
          INFO(name << ": " << stages << " stages, stage " << stage << ", chunk " << chunk);
          CHECK(traits_of(schedule).in_flight(shape, {stage, chunk}) ==
                held[static_cast<std::size_t>(chunk)]);
        }
      }
    }
}

// arXiv 2405.15362: half of 1F1B's p stages, in chunks of half a stage, and one more until the
// weight gradients of both chunks are made.
TEST_CASE("v-half holds half of what 1F1B holds") {
  for (const int stages : {4, 8, 16, 32}) {
    const PipelineSchedule half = schedule_named("v-half");
    const PipelineShape shape{half, stages, 2, 4 * stages};
    for (int stage = 0; stage < stages; ++stage) {
      int chunks = 0;
      for (int chunk = 0; chunk < 2; ++chunk)
        chunks += traits_of(half).in_flight(shape, {stage, chunk});
      CHECK(chunks >= stages);
      CHECK(chunks <= stages + 2);
    }
  }
}

TEST_CASE("orders of more micro-batches are those of fewer with rounds between") {
  for (const auto& [name, schedule] : pipeline_schedules)
    for (int stages = 1; stages <= 9; ++stages)
      for (int chunks = 1; chunks <= 5; ++chunks)
        for (const bool pairs : {false, true})
          for (int rest = 0; rest < stages; ++rest) {
            const ScheduleTraits& traits = traits_of(schedule);
            const bool is_legal = traits.chunks.holds(chunks) && (chunks == 1 || stages > 1);
            if (traits.forwards_first || !is_legal || (pairs && chunks == 1)) continue;
            INFO(name << ", " << stages << " stages, " << chunks << " chunks, pairs " << pairs);
            const int every = runs_in_groups(schedule, chunks) ? stages : 1;
            const int settled = 2 * stages;
            const int last = 2 * settled;
            const PipelineShape few{schedule, stages, chunks, last + stages + rest, pairs};
            PipelineShape more = few;
            more.micro_batches += 3 * every;
            for (int stage = 0; stage < stages; ++stage) {
              const std::vector<Pass> order = stage_order(few, stage);
              const auto place_of = [&](int micro_batch) {
                return std::find_if(order.begin(), order.end(), [&](const Pass& pass) {
                  return pass.kind == PassKind::Forward && pass.chunk == 0 &&
                         pass.micro_batch == micro_batch;
                });
              };
              std::vector<Pass> expected(order.begin(), place_of(last));
              const auto add = [&](auto from, auto to, int later) {
                std::transform(from, to, std::back_inserter(expected), [&](Pass pass) {
                  pass.micro_batch += later;
                  return pass;
                });
              };
              int round = 0;
              // After the orders have settled, every round is equal.
              for (const int from : {settled, last - every, settled})
                add(place_of(from), place_of(from + every), last - from + every * round++);
              add(place_of(last), order.end(), 3 * every);
              CHECK(text_of(expected) == text_of(stage_order(more, stage)));
            }
          }
}
