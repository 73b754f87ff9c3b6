#include "sim/rollout/rollout.hpp"

#include <algorithm>
#include <vector>

#include "sim/config/library.hpp"
#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"
#include "tests/refusal.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Engine toy_engine(const EngineLayout& layout = {}) {
  Cluster cluster = Library::load(configs).cluster("dgx-h100");
  const Decoder decoder{.hidden = 1000,
                        .branches = 40,
                        .parameters = 10e9,
                        .attention = {{.layers = 20, .values = 25e3, .head_groups = 4}}};
  return {decoder, cluster, layout, {}};
}

/// Responses of 100 tokens each, to prompts of 50.
RolloutRequest equal_responses(double responses, int engines) {
  return {.responses = responses,
          .prompt = 50,
          .lengths = {.mean = 100, .cap = 100},
          .engines = engines};
}

/// Time of decoding responses that start in this order, at most `held` at once.
Seconds decoding(const Engine& engine, const std::vector<double>& lengths, std::size_t held,
                 double prompt) {
  struct Live {
    double start, end;
  };
  std::vector<Live> live;
  Seconds total;
  double now = 0;
  for (std::size_t next = 0;;) {
    while (next < lengths.size() && live.size() < held)
      live.push_back({now, now + lengths[next++]});
    if (live.empty()) return total;
    double until = live.front().end;
    double age = 0;
    for (const Live& each : live) {
      until = std::min(until, each.end);
      age += (now - each.start) / static_cast<double>(live.size());
    }
    const double context = prompt + age + (until - now) / 2;
    total += (until - now) * engine.iteration(static_cast<double>(live.size()), context).total();
    now = until;
    std::erase_if(live, [&](const Live& each) { return each.end <= now; });
  }
}

}  // namespace

TEST_CASE("equal responses decode together") {
  const Engine engine = toy_engine();
  const RolloutTimes times = rollout_times(engine, equal_responses(64, 2));
  CHECK(times.held == 32);
  CHECK(times.waves == 1);
  CHECK(times.decode.base() == Approx(100 * engine.iteration(32, 50 + 100 / 2.0).total().base()));
  CHECK(times.prefill.base() == Approx(32 * engine.prefill(50).base()));
  CHECK(times.busy.base() == Approx(times.latency().base()));
}

TEST_CASE("what does not run at once runs in waves") {
  const Engine engine = toy_engine();
  RolloutRequest request = equal_responses(64, 1);
  request.most_sequences = 32;
  const RolloutTimes times = rollout_times(engine, request);
  CHECK(times.waves == 2);
  CHECK(times.decode.base() ==
        Approx(2 * 100 * engine.iteration(32, 50 + 100 / 2.0).total().base()));
}

TEST_CASE("each rank that attends for its own sequences runs as many at once as an engine may") {
  const EngineLayout layout{.ranks = 4, .attention = EngineAttention::DataParallel};
  RolloutRequest request = equal_responses(64, 1);
  request.most_sequences = 8;
  CHECK(rollout_times(toy_engine(layout), request).held == 4 * 8);
  CHECK(rollout_times(toy_engine({.ranks = 4}), request).held == 8);
}

TEST_CASE("one long response leaves an engine nearly empty") {
  const Engine engine = toy_engine();
  const RolloutRequest request{
      .responses = 128, .prompt = 50, .lengths = {.mean = 1000, .cap = 8000, .spread = 0.6}};
  const RolloutTimes times = rollout_times(engine, request);
  CHECK(times.longest > 4000);
  CHECK(times.tail > 0.2 * times.decode);
  CHECK(times.decode.base() > times.longest * engine.iteration(1, 50).total().base());
  CHECK(times.latency() > times.busy);
}

TEST_CASE("rollouts that overlap keep engines fuller") {
  const Engine engine = toy_engine();
  RolloutRequest request = equal_responses(64, 4);
  const Seconds alone = rollout_times(engine, request).busy;
  request.batches_in_flight = 4;
  CHECK(rollout_times(engine, request).busy < alone);
}

TEST_CASE("an engine whose memory the weights fill is refused") {
  CHECK_THROWS_AS(rollout_times(toy_engine({.memory_share = 0.2}), equal_responses(1, 1)),
                  InputError);
}

TEST_CASE("waiting responses start in an order without a trend: the longest do not start last") {
  const Engine engine = toy_engine();
  const RolloutRequest request{.responses = 512,
                               .prompt = 50,
                               .lengths = {.mean = 1000, .cap = 8000, .spread = 0.6},
                               .most_sequences = 64};
  const RolloutTimes times = rollout_times(engine, request);
  REQUIRE(times.waves == 8);
  std::vector<double> lengths = request.lengths.quantiles(512, request.responses);
  CHECK(times.decode < decoding(engine, lengths, 64, request.prompt));
  std::reverse(lengths.begin(), lengths.end());
  CHECK(times.decode > decoding(engine, lengths, 64, request.prompt));  // the longest start first
}

TEST_CASE("an engine that holds no sequence is told how many accelerators would") {
  const Cluster cluster = Library::load(configs).cluster("dgx-h100");
  const auto refused = [&](double parameters) {
    const Decoder decoder{.parameters = parameters, .heads = {8}};
    return refusal([&] { rollout_times({decoder, cluster, {}, {}}, equal_responses(64, 2)); });
  };
  // Two bytes of each parameter: 80 GB exceed 0.9 x 86 GB, and half of them do not.
  CHECK(refused(40e9) ==
        "an engine of 1 accelerator holds no sequence: weights take 80 GB of each accelerator, and "
        "the engine may use 90 % of its memory; an engine of 2 accelerators would");
  CHECK(refused(400e9) ==
        "an engine of 1 accelerator holds no sequence: weights take 800 GB of each accelerator, "
        "and the engine may use 90 % of its memory");
}
