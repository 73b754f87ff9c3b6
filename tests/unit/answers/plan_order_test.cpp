#include "sim/answers/plan_order_answer.hpp"
#include "tests/catch.hpp"

using namespace tofn;

namespace {

ScoredStep step(const char* job, int tensor, int stages, double measured, double predicted) {
  ScoredStep each{.job = job, .measured = measured, .predicted = predicted};
  each.plan.tensor_parallel_size = tensor;
  each.plan.pipeline_parallel_size = stages;
  return each;
}

const PlanRule& rule(std::string_view name) {
  for (const PlanRule& each : plan_rules)
    if (each.name == name) return each;
  FAIL("no such rule");
  return plan_rules.front();
}

double right(const std::vector<PlanGroup>& groups, const PlanRule& by) {
  double sum = 0;
  for (const PlanPair& pair : pairs_of(groups)) sum += pair.share_right(by);
  return sum;
}

}  // namespace

TEST_CASE("plans of one job are paired where they were measured apart") {
  const auto groups =
      plan_groups({step("a", 1, 1, 10.0, 10), step("a", 2, 1, 10.5, 12), step("a", 4, 1, 12.0, 11),
                   step("b", 1, 1, 5.0, 5), step("c", 2, 1, 5.0, 5), step("c", 2, 1, 9.0, 5)});
  REQUIRE(groups.size() == 1);  // b has one plan, and c has one plan measured twice
  CHECK(groups[0].steps == 3);
  CHECK(pairs_of(groups).size() == 2);  // 10 and 10.5 count as equal
  CHECK(right(groups, rule("predicted")) == 1);
  CHECK(right(groups, rule("the fewest ranks of a replica")) == 2);
  CHECK(right(groups, rule("any order")) == 1);
}

TEST_CASE("a plan measured twice counts once, by its geometric mean") {
  const auto groups =
      plan_groups({step("a", 1, 1, 4, 2), step("a", 1, 1, 9, 8), step("a", 2, 1, 7, 3)});
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].steps == 3);
  REQUIRE(groups[0].plans.size() == 2);
  CHECK(groups[0].plans[0].measured == Approx(6));
  CHECK(groups[0].plans[0].predicted == Approx(4));
}

TEST_CASE("regret is what the pick takes over the fastest plan") {
  const auto groups =
      plan_groups({step("a", 1, 2, 10, 3), step("a", 2, 1, 11, 2), step("a", 2, 2, 15, 9)});
  REQUIRE(groups.size() == 1);
  CHECK(regret(groups[0], rule("predicted")) == Approx(0.1));
  CHECK(regret(groups[0], rule("the fewest ranks of a replica")) == Approx(0.05));  // two tie
  CHECK(regret(groups[0], rule("any order")) == Approx(0.2));
}

TEST_CASE("steps that were not scored are in no group") {
  auto refused = step("a", 2, 1, 11, 2);
  refused.skipped_because = "no step was measured";
  CHECK(plan_groups({step("a", 1, 1, 10, 3), refused}).empty());
}
