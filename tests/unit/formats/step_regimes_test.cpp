#include <cmath>

#include <fmt/format.h>

#include "sim/core/random.hpp"
#include "sim/formats/step_logs/steady_steps.hpp"
#include "sim/formats/step_logs/step_log.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Appends `count` times of `seconds`, within one per cent.
void add(std::vector<double>& all, int count, double seconds, Random& draws) {
  for (int i = 0; i < count; ++i) all.push_back(seconds * (1 + 0.02 * (draws.uniform() - 0.5)));
}

std::vector<std::size_t> lengths_of(const std::vector<double>& seconds) {
  std::vector<LoggedStep> steps;
  for (const double each : seconds) steps.push_back({.seconds = each});
  std::vector<std::size_t> lengths;
  for (const auto& part : regimes_of(steps)) lengths.push_back(part.size());
  return lengths;
}

using Lengths = std::vector<std::size_t>;

/// A Megatron-LM log of `before` steps of 9.6 s and `after` of 12.95 s.
std::string log_of(int before, int after) {
  std::string log;
  for (int i = 1; i <= before + after; ++i)
    log += fmt::format(
        " iteration {}/ 1000 | elapsed time per iteration (ms): {:.1f} | global batch size: 64 |\n",
        i, (i <= before ? 9600.0 : 12950.0) + 10 * (i % 3));
  return log;
}

StepReading reading_of(const std::string& log, RegimeTaken taken) {
  return read_step_log(log, "train.log", {.accelerators = 8, .regime = taken});
}

}  // namespace

TEST_CASE("a run is cut where its steps turned") {
  Random draws(7);
  std::vector<double> seconds;
  add(seconds, 300, 9.6, draws);
  add(seconds, 100, 12.95, draws);
  CHECK(lengths_of(seconds) == Lengths{300, 100});
  add(seconds, 200, 9.6, draws);
  CHECK(lengths_of(seconds) == Lengths{300, 100, 200});
}

TEST_CASE("noise, outliers, warm-up and what grows step by step are no regimes") {
  Random draws(7);
  std::vector<double> seconds;
  add(seconds, 300, 1, draws);
  CHECK(lengths_of(seconds) == Lengths{300});
  for (const std::size_t at : {50u, 120u, 121u, 290u}) seconds[at] = 20;
  CHECK(lengths_of(seconds) == Lengths{300});
  for (std::size_t i = 0; i < 20; ++i) seconds[i] = 1.5;
  CHECK(lengths_of(seconds) == Lengths{300});
  for (std::size_t i = 0; i < seconds.size(); ++i)
    seconds[i] = 1 + 0.5 * static_cast<double>(i) / 300;
  CHECK(lengths_of(seconds) == Lengths{300});
}

TEST_CASE("a log of two regimes gives both, and its step is of one of them") {
  const std::string log = log_of(300, 100);
  for (const auto& [taken, seconds, steps] :
       {std::tuple{RegimeTaken::Longest, 9.61, 299}, std::tuple{RegimeTaken::First, 9.61, 299},
        std::tuple{RegimeTaken::Last, 12.96, 100}}) {
    const StepReading reading = reading_of(log, taken);
    const MeasuredStep& step = reading.steps.at(0);
    CHECK_THAT(step.step.base(), WithinRel(seconds, 1e-9));
    CHECK(step.steps == steps);
    CHECK(step.spread < 0.002);
    REQUIRE(step.regimes.size() == 2);
    CHECK(step.regimes[0].to == 300);
    CHECK(step.regimes[1].from == 301);
  }
  CHECK(reading_of(log, RegimeTaken::Longest).remarks.front() ==
        "train.log:301: WARNING: the steps turned: 9.61 s in iterations 1 to 300 (299 steps), then "
        "12.96 s in iterations 301 to 400 (100 steps); the longest of these is taken, and no mean "
        "(`tofn calibrate --steps --regime` takes another)");
  CHECK_THAT(reading_of(log_of(100, 300), RegimeTaken::Longest).steps.at(0).step.base(),
             WithinRel(12.96, 1e-9));
  CHECK(reading_of(log_of(400, 0), RegimeTaken::Longest).steps.at(0).regimes.empty());
}

TEST_CASE("the first step of a job that began anew is in the part of its own steps") {
  std::string log;
  for (const double seconds : {30.0, 15.0})
    for (int i = 1; i <= 60; ++i)
      log += fmt::format(
          " iteration {}/ 1000 | elapsed time per iteration (ms): {:.1f} | global batch size: 64 "
          "|\n",
          i, (i == 1 ? 4000 : 1000) * seconds);
  const MeasuredStep step = reading_of(log, RegimeTaken::Longest).steps.at(0);
  CHECK(regimes_text(step.regimes) ==
        "30 s in iterations 1 to 60 (59 steps), then 15 s in iterations 1 to 60 (59 steps)");
}
