#include <algorithm>
#include <cmath>

#include "sim/expense/expense.hpp"
#include "tests/catch.hpp"
#include "tests/laws/machines.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

Activity hour_with(double computing) {
  return {.computing = Seconds(3600 * computing),
          .launching = {},
          .communicating = Seconds(3600 * (1 - computing)),
          .idle = {}};
}

/// Expected seconds per second of work, by the textbook formula that the best interval minimises.
double pace(double interval, const Interruptions& by) {
  const double mean = by.mean_between.base();
  return mean * std::expm1((interval + by.checkpoint.base()) / mean) / interval;
}

}  // namespace

TEST_CASE("on every cluster, more utilisation and more accelerators never draw less") {
  for (const Cluster& cluster : library().clusters()) {
    CAPTURE(cluster.name);
    Joules fewer;
    for (const int accelerators : rank_counts) {
      if (!fits(cluster, accelerators)) continue;
      const MachinePower power = machine_power(cluster, accelerators);
      Joules idler;
      for (const double computing : {0.0, 0.2, 0.5, 0.9, 1.0}) {
        const Joules total = energy_of(power, hour_with(computing)).total();
        CHECK(total > idler);
        idler = total;
      }
      CHECK(idler > fewer);
      fewer = idler;
      CHECK(energy_of(power, hour_with(1)).accelerators / Seconds(3600) <=
            1.000001 * accelerators * cluster.accelerator.power.value);
      CHECK(energy_of(machine_power(cluster, accelerators, 1), hour_with(1)).facility == Joules());
    }
  }
}

TEST_CASE("cost is linear in price, and in accelerators where none fails") {
  const Cluster cluster = machine("dgx-h100");
  const auto usd = [&](int accelerators, double price) {
    ExpenseOptions options{.price = price};
    options.time_to_failure = Seconds(1e18);
    return *expense_of(cluster, accelerators, hour_with(1), Basis::Formula, options).usd;
  };
  for (const double price : {0.1, 1.0, 7.5}) {
    CHECK_THAT(usd(64, price), WithinRel(64 * price, 1e-9));
    CHECK_THAT(usd(64, 3 * price), WithinRel(3 * usd(64, price), 1e-12));
    CHECK_THAT(usd(128, price), WithinRel(2 * usd(64, price), 1e-9));
  }
}

TEST_CASE("no interval between checkpoints loses less than the best one") {
  for (const double mean : {600.0, 3600.0, 1e6})
    for (const double checkpoint : {0.01, 1.0, 60.0, 600.0, 5000.0}) {
      const Interruptions by{
          .mean_between = Seconds(mean), .checkpoint = Seconds(checkpoint), .restart = Seconds(60)};
      const double best = best_checkpoint_interval(by).base();
      CAPTURE(mean, checkpoint, best);
      double found = best;  // best interval found by search
      for (double interval = best / 1000; interval < 1000 * best; interval *= 1.001)
        if (pace(interval, by) < pace(found, by)) found = interval;
      CHECK(pace(best, by) <= pace(found, by) * (1 + 1e-12));
      CHECK_THAT(found, WithinRel(best, 2e-3));
      // A whole run loses little by equal splits, whatever its length.
      const Seconds run(20.3 * best);
      double least = interrupted(run, by).expected.base();
      for (int segments = 1; segments < 100; ++segments)
        CHECK(interrupted(run, by, run / segments).expected.base() >= 0.9999 * least);
    }
}

TEST_CASE("interruptions never shorten a run, and rarer ones lengthen it less") {
  for (const double hours : {0.01, 1.0, 30.0, 2000.0}) {
    const Seconds run(3600 * hours);
    double shorter = run.base();
    for (const double mean : {1e9, 1e7, 1e6, 1e5, 1e4}) {
      const InterruptedRun found = interrupted(
          run, {.mean_between = Seconds(mean), .checkpoint = Seconds(60), .restart = Seconds(900)});
      CAPTURE(hours, mean);
      CHECK(found.expected.base() >= shorter);
      shorter = found.expected.base();
    }
  }
}
