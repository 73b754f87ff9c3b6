#include "sim/expense/expense.hpp"

#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/unit/expense/toy_cluster.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

constexpr Activity one_hour{
    .computing = Seconds(3600), .launching = {}, .communicating = {}, .idle = {}};

Expense expense_on(const Cluster& cluster, const ExpenseOptions& options) {
  return expense_of(cluster, 16, one_hour, Basis::Formula, options);
}

}  // namespace

// One failure in 50,700 h / 16 = 3169 h makes an hour at most 1.0002 h.
TEST_CASE("an hour of 16 accelerators at 2 USD/h costs 32 USD") {
  const Expense found = expense_on(toy_cluster(), {});
  REQUIRE(found.usd);
  CHECK_THAT(*found.usd, WithinRel(32.0, 3e-4));
  CHECK(found.cost_basis == Basis::Formula);
  CHECK(found.price->source == "price list");
  CHECK_FALSE(found.price->is_typical);
  CHECK_THAT(found.interruptions.mean_between.base(), WithinRel(50700.0 / 16 * 3600, 1e-12));
  CHECK(found.assumed.empty());
}

// 24 accelerators in four nodes of eight, six of each: the job pays for 32, and eight draw 100 W
// each.
TEST_CASE("accelerators that a job leaves unused in its nodes are paid for") {
  Cluster cluster = toy_cluster();
  cluster.scale_up.domain_accelerators = {8, "datasheet"};
  const ExpenseOptions unbroken{.time_to_failure = Seconds(1e30)};
  const Expense all = expense_of(cluster, 24, one_hour, Basis::Formula, unbroken);
  const Expense some = expense_of(cluster, {24, 6}, one_hour, Basis::Formula, unbroken);
  CHECK_THAT(*some.usd / *all.usd, WithinRel(32.0 / 24, 1e-12));
  CHECK(some.interruptions.mean_between == all.interruptions.mean_between);
  CHECK(some.power.hosts == Watts(4000));
  CHECK_THAT((some.energy.accelerators - all.energy.accelerators) / all.energy.accelerators,
             WithinRel(8 * 100.0 / (24 * 500.0), 1e-12));
}

TEST_CASE(
    "the accelerator's price stands in where a cluster states none, and an asked one for both") {
  Cluster cluster = toy_cluster();
  cluster.prices = {};
  cluster.accelerator.prices[0] = {3.0, "usual"};
  CHECK(choose_price(cluster, {})->is_typical);
  CHECK(choose_price(cluster, {})->usd_per_hour == 3);
  CHECK(choose_price(cluster, {.price = 1.25})->usd_per_hour == 1.25);
  CHECK(choose_price(cluster, {.price = 1.25})->source == "stated");
  cluster.accelerator.prices = {};
  CHECK_FALSE(choose_price(cluster, {}));
  CHECK_FALSE(expense_on(cluster, {}).usd);
}

TEST_CASE("a term without a price is refused with those that have one") {
  try {
    choose_price(toy_cluster(), {.term = PriceTerm::Spot});
    FAIL("was taken");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) ==
          "--price-term: no spot price of toy is known, only on_demand; state one with --price");
  }
}

// Two nodes are each preempted once in 10 h and hardly ever fail: one interruption in 5 h. 4 h run
// in two segments of 2 h, the first with a checkpoint of 6 min:
// 5 h x e^(0.25/5) x (e^(2.1/5) - 1 + e^(2/5) - 1)
// = 5 x 1.051271 x (0.521962 + 0.491825) = 5.32883 h.
//
// The run would take 5 x (0.521962 + 0.491825) = 5.06894 h without the factor e^(0.25/5) of
// restarts: the job works for that long and waits for the rest.
TEST_CASE("spot nodes that are taken away lengthen the run, what it costs and what it draws") {
  Cluster cluster = toy_cluster();
  cluster.prices[static_cast<std::size_t>(PriceTerm::Spot)] = {0.5, "price list"};
  ExpenseOptions options{.term = PriceTerm::Spot};
  options.time_to_failure = Seconds(1e15);
  options.time_to_preemption = Seconds(36000);
  options.checkpoint = Seconds(360);
  options.checkpoint_every = Seconds(7200);
  const Expense found = expense_of(cluster, 16, 4.0 * one_hour, Basis::Formula, options);
  CHECK_THAT(found.run.expected.base() / 3600, WithinRel(5.32883, 1e-5));
  CHECK_THAT(*found.usd, WithinRel(16 * 0.5 * 5.32883, 1e-5));
  CHECK(found.cost_basis == Basis::Assumed);  // the time of a restart is assumed
  CHECK(found.assumed == std::vector<std::string>{"restart 15 min"});
  options.time_to_failure.reset();
  CHECK(expense_of(cluster, 16, 4.0 * one_hour, Basis::Formula, options).assumed ==
        std::vector<std::string>{"an accelerator fails every 50700 h", "restart 15 min"});
  const Activity idle_hour{
      .computing = {}, .launching = {}, .communicating = {}, .idle = Seconds(3600)};
  const MachinePower power = machine_power(cluster, 16);
  const Joules drawn = 5.06894 * energy_of(power, one_hour).total() +
                       (5.32883 - 5.06894) * energy_of(power, idle_hour).total();
  CHECK_THAT(found.energy.total().base(), WithinRel(drawn.base(), 1e-5));
  CHECK_THAT(found.utilisation, WithinRel(5.06894 / 5.32883, 1e-5));
}

TEST_CASE("a run that is interrupted too often to end is refused") {
  ExpenseOptions options;
  options.time_to_failure = Seconds(16);
  options.checkpoint_every = Seconds(3600);
  CHECK_THROWS_WITH(expense_on(toy_cluster(), options),
                    "interrupted every 1 s and down for 15 min each time, the run does not end "
                    "(--failure-every, --restart, --checkpoint-every)");
  // e^(restart / time between) is 1e6 at 13.8 restarts; the rest, from an hour's work, is 1.3.
  options.checkpoint_every = Seconds(60);
  options.checkpoint = Seconds(1e-3);
  options.restart = Seconds(1380);
  options.time_to_failure = Seconds(16 * 130.0);
  CHECK(expense_on(toy_cluster(), options).run.expected.base() < 1e6 * 3600);
  options.time_to_failure = Seconds(16 * 97.0);
  CHECK_THROWS_WITH(
      expense_on(toy_cluster(), options),
      "interrupted every 1.62 min and down for 23 min each time, the run does not end "
      "(--failure-every, --restart, --checkpoint-every)");
}
