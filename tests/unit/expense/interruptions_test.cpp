#include "sim/expense/interruptions.hpp"

#include <cmath>
#include <limits>

#include "sim/core/random.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr Interruptions often{
    .mean_between = Seconds(1000), .checkpoint = Seconds(10), .restart = Seconds(50)};

/// Random seconds until the next interruption.
double drawn(Random& random, double mean) { return -mean * std::log(1 - random.uniform()); }

/// Seconds of one simulated run: an interruption repeats the segment of work after a restart, which
/// may be interrupted too.
double lived(Random& random, double run, double interval, const Interruptions& by) {
  double time = 0;
  for (double done = 0; done < run;) {
    const double work = std::min(interval, run - done);
    const double segment = work + (done + work < run ? by.checkpoint.base() : 0);
    double until = drawn(random, by.mean_between.base());
    bool is_restarting = false;
    while (until < (is_restarting ? by.restart.base() : 0) + segment) {
      time += until;
      until = drawn(random, by.mean_between.base());
      is_restarting = true;
    }
    time += (is_restarting ? by.restart.base() : 0) + segment;
    done += work;
  }
  return time;
}

}  // namespace

// 1000 e^0.05 x (2 (e^0.11 - 1) + (e^0.1 - 1)) = 1051.2711 x (2 x 0.1162781 + 0.1051709)
TEST_CASE("an interrupted run of three segments takes Daly's expected time") {
  const InterruptedRun run = interrupted(Seconds(300), often, Seconds(100));
  CHECK_THAT(run.expected.base(), WithinRel(355.0426, 1e-5));
  CHECK(run.checkpoint_every == Seconds(100));
}

TEST_CASE("the last segment may be shorter, and ends without a checkpoint") {
  // 1000 e^0.05 x ((e^0.21 - 1) + (e^0.1 - 1))
  const InterruptedRun run = interrupted(Seconds(300), often, Seconds(200));
  CHECK_THAT(run.expected.base(), WithinRel(1051.27110 * (0.23367806 + 0.10517092), 1e-6));
  CHECK_FALSE(interrupted(Seconds(300), often, Seconds(300)).checkpoint_every);
  CHECK_FALSE(interrupted(Seconds(300), often, Seconds(4000)).checkpoint_every);
}

TEST_CASE("a run without interruptions takes its own time") {
  Interruptions never = often;
  never.mean_between = Seconds(std::numeric_limits<double>::infinity());
  CHECK(interrupted(Seconds(300), never).expected == Seconds(300));
  CHECK_FALSE(interrupted(Seconds(300), never).checkpoint_every);
}

TEST_CASE("the expected time is the mean of runs lived through") {
  Random random(7);
  constexpr int lives = 200000;
  double sum = 0;
  for (int life = 0; life < lives; ++life) sum += lived(random, 2000, 400, often);
  const double expected = interrupted(Seconds(2000), often, Seconds(400)).expected.base();
  CHECK_THAT(sum / lives, WithinRel(expected, 0.005));
}

// J. Daly 2006: sqrt(2 c M) (1 + 1/3 sqrt(c/2M) + 1/9 c/2M) - c for c < 2M.
TEST_CASE("the best interval is Young's and Daly's where checkpoints are short") {
  for (const double checkpoint : {0.1, 1.0, 10.0}) {
    const double half = checkpoint / 2000;
    const double young = std::sqrt(2 * checkpoint * 1000);
    const double daly = young * (1 + std::sqrt(half) / 3 + half / 9) - checkpoint;
    const Seconds best = best_checkpoint_interval(
        {.mean_between = Seconds(1000), .checkpoint = Seconds(checkpoint), .restart = {}});
    CAPTURE(checkpoint);
    CHECK_THAT(best.base(), WithinRel(daly, 2e-4));
    CHECK_THAT(best.base(), WithinRel(young, 0.1));
  }
}

TEST_CASE("a checkpoint longer than the time between interruptions still has a best interval") {
  const Seconds best = best_checkpoint_interval(
      {.mean_between = Seconds(1000), .checkpoint = Seconds(20000), .restart = {}});
  CHECK_THAT(best.base(), WithinRel(1000.0, 1e-6));
}
