#include <random>

#include "sim/config/library.hpp"
#include "sim/config/load_model.hpp"
#include "sim/rollout/rl_step.hpp"
#include "sim/rollout/training_passes.hpp"
#include "tests/catch.hpp"
#include "tests/configs.hpp"

// Laws of generation and of RL steps over shipped models and drawn sizes.
using namespace tofn;
using namespace tofn::test;

namespace {

struct DrawnRollout {
  Decoder decoder;
  Cluster cluster;
  EngineLayout layout;
  RolloutRequest request;

  RolloutTimes times() const {
    return rollout_times(Engine(decoder, cluster, layout, {}, request.engines), request);
  }
};

class RolloutDrawing {
 public:
  DrawnRollout draw() {
    static const std::vector<Decoder> decoders = [] {
      std::vector<Decoder> all;
      for (const char* name : {"llama3-8b", "qwen3-30b-a3b", "gpt-oss-20b", "qwen3-4b"})
        all.push_back(decoder_of(find_model(configs, name)));
      return all;
    }();
    static Library library = Library::load(configs);
    const char* clusters[] = {"dgx-h100", "dgx-h200", "gb200-nvl72"};
    DrawnRollout drawn{.decoder = decoders[whole(0, 3)],
                       .cluster = library.cluster(clusters[whole(0, 2)]),
                       .layout = {.ranks = 1 << whole(1, 3), .memory_share = 0.9},
                       .request = {}};
    const double mean = static_cast<double>(whole(100, 3000));
    drawn.request = {.responses = static_cast<double>(whole(8, 1024)),
                     .prompt = static_cast<double>(whole(10, 2000)),
                     .lengths = {.mean = mean,
                                 .cap = mean * (1.05 + 0.1 * static_cast<double>(whole(0, 50))),
                                 .spread = 0.1 * static_cast<double>(whole(1, 10))},
                     .engines = static_cast<int>(whole(1, 4))};
    return drawn;
  }
  std::size_t whole(std::size_t least, std::size_t most) {
    return std::uniform_int_distribution<std::size_t>(least, most)(random_);
  }

 private:
  std::mt19937 random_{20261129};
};

constexpr int rollout_draws = 60;
constexpr double rollout_rounding = 1e-9;

}  // namespace

TEST_CASE("a faster memory never lengthens a rollout") {
  RolloutDrawing drawing;
  for (int i = 0; i < rollout_draws; ++i) {
    const DrawnRollout drawn = drawing.draw();
    DrawnRollout faster = drawn;
    faster.cluster.accelerator.memory_bandwidth.value *= 2;
    CHECK(faster.times().latency() <= drawn.times().latency() * (1 + rollout_rounding));
  }
}

TEST_CASE("a rollout takes at least as long as its longest response alone, and as its tokens") {
  RolloutDrawing drawing;
  for (int i = 0; i < rollout_draws; ++i) {
    const DrawnRollout drawn = drawing.draw();
    const Engine engine(drawn.decoder, drawn.cluster, drawn.layout, {}, drawn.request.engines);
    const RolloutTimes times = drawn.times();
    const Seconds alone =
        times.longest * engine.iteration(1, drawn.request.prompt + times.longest / 2).total();
    CHECK(times.latency() >= alone * (1 - rollout_rounding));
    CHECK(times.latency() >= times.busy * 0.9);  // `busy` takes the mean context of all lengths
    CHECK(times.tail <= times.decode);
  }
}

TEST_CASE("more responses, or longer ones, never shorten a rollout") {
  RolloutDrawing drawing;
  for (int i = 0; i < rollout_draws; ++i) {
    const DrawnRollout drawn = drawing.draw();
    DrawnRollout more = drawn;
    more.request.responses *= 2;
    CHECK(more.times().latency() >= drawn.times().latency() * (1 - rollout_rounding));
    DrawnRollout longer = drawn;
    longer.request.lengths.mean *= 1.5;
    longer.request.lengths.cap *= 1.5;
    CHECK(longer.times().latency() >= drawn.times().latency() * (1 - rollout_rounding));
  }
}

TEST_CASE("no side of an RL step works longer than its period, and age never lengthens it") {
  RolloutDrawing drawing;
  for (int i = 0; i < rollout_draws; ++i) {
    const RolloutTimes rollout = drawing.draw().times();
    const TrainingPasses passes{
        .updates = Seconds{0.1 * static_cast<double>(drawing.whole(1, 900))},
        .logprobs = Seconds{5}};
    Seconds before{1e18};
    for (const int age : {0, 1, 2, 8}) {
      const RlStep step = rl_step(rollout, passes, {.parameters = 8e9}, {},
                                  {.is_colocated = false, .steps_off = age});
      CHECK(step.period() >= step.training());
      CHECK(step.period() >= step.rollout.busy);
      CHECK(step.period() <= before * (1 + rollout_rounding));
      CHECK(step.trainers_wait() + step.training() == step.period());
      // Rollouts that share a period overlap at most entirely.
      CHECK(step.generators_wait() <=
            step.period() * (1 + rollout_rounding) - step.generation() / (age + 1.0));
      before = step.period();
    }
  }
}

TEST_CASE("accelerators of an RL step are busy or idle for all of its period, on either side") {
  RolloutDrawing drawing;
  for (int i = 0; i < rollout_draws; ++i) {
    const RolloutTimes rollout = drawing.draw().times();
    CHECK(rollout.activity.total().base() == Approx(rollout.latency().base()));
    const SimulatedPasses passes{
        .times = {.updates = Seconds{0.1 * static_cast<double>(drawing.whole(1, 900))},
                  .logprobs = Seconds{5}},
        .activity = {.computing = Seconds{0.8},
                     .launching = {},
                     .communicating = Seconds{0.2},
                     .idle = {}},
        .plan = {}};
    for (const bool is_colocated : {true, false})
      for (const int age : {0, 1, 8}) {
        const RlStep step = rl_step(rollout, passes.times, {.parameters = 8e9}, {},
                                    {.is_colocated = is_colocated, .steps_off = age});
        const Activity activity = rl_activity(step, passes, 8, 24);
        CHECK(activity.total().base() == Approx(step.period().base()));
        if (!is_colocated)
          CHECK(activity.idle.base() ==
                Approx((step.generators_wait() + 3 * step.trainers_wait()).base() / 4));
      }
  }
}
