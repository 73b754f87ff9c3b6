#include "sim/parallelism/placed_plan.hpp"

#include "sim/core/error.hpp"
#include "tests/catch.hpp"
#include "tests/refusal.hpp"
#include "tests/unit/cluster/toy_machine.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Accelerators that a job uses of each domain, on racks of 72 with nodes of 4.
int of_72(Plan plan, int accelerators) {
  plan.data_parallel_size = accelerators / plan.model_parallel_size();
  return used_of_domain(plan, toy_of_four(72));
}
int of_8(Plan plan, int accelerators) {
  plan.data_parallel_size = accelerators / plan.model_parallel_size();
  return used_of_domain(plan, toy_machine());
}

}  // namespace

TEST_CASE("launchers take the greatest number of a rack's nodes that divides the job's") {
  for (const int job : {128, 256, 1024, 8192}) CHECK(of_72({}, job) == 64);
  for (const int job : {144, 216, 1440}) CHECK(of_72({.tensor_parallel_size = 4}, job) == 72);
  CHECK(of_72({}, 4 * 40) == 40);
  CHECK(of_72({}, 4 * 39 * 16) == 64);
}

// The only divisor of 37 nodes that fits is one, so a rack has 18 segments of one node. With 38
// nodes it has 9 of two.
TEST_CASE("a rack holds as many segments as fit it") {
  CHECK(of_72({}, 4 * 37) == 72);
  CHECK(of_72({}, 4 * 38) == 72);
}

TEST_CASE("groups that fit a rack lie in one") {
  const Plan experts{.expert_parallel_size = 64};
  CHECK(of_72(experts, 256) == 64);
  CHECK(of_72({.expert_parallel_size = 32}, 160) == 64);
  CHECK(of_72({.tensor_parallel_size = 8, .context_parallel_size = 7}, 56 * 18) == 56);
  // Whole experts also multiply the tensor groups: 48 neighbours with them, else 8 x 48.
  CHECK(of_72({.tensor_parallel_size = 8, .expert_parallel_size = 48}, 8 * 48 * 9) == 72);
  CHECK(of_72({.tensor_parallel_size = 8, .expert_parallel_size = 48, .whole_experts = true},
              8 * 48 * 9) == 48);
  // Each rack has a stage of 40.
  CHECK(of_72({.pipeline_parallel_size = 4}, 160) == 40);
}

TEST_CASE("a group that a whole rack does not part is not parted") {
  // Groups of 56 and of 24 neighbours cannot both stay in a rack; 24 divides 72.
  const Plan both{.tensor_parallel_size = 8, .context_parallel_size = 7, .expert_parallel_size = 3};
  CHECK(of_72(both, 8 * 21 * 3) % 24 == 0);
  for (int tensor = 1; tensor <= 12; ++tensor)
    for (int context = 1; context <= 8; ++context)
      for (int experts = 1; experts <= 72; ++experts)
        for (const int replicas : {experts, 2 * experts, 9 * experts}) {
          const Plan plan{.tensor_parallel_size = tensor,
                          .context_parallel_size = context,
                          .expert_parallel_size = experts};
          const int job = tensor * context * replicas;
          const int used = of_72(plan, job);
          if (job <= 72) {
            REQUIRE(used == 72);
            continue;
          }
          for (const int group : {tensor, tensor * context, tensor * experts})
            if (72 % group == 0) REQUIRE(used % group == 0);
        }
}

// A job pays for idle accelerators of nodes that are domains. It keeps together only groups that
// exchange in every layer, and leaves no more than they need.
TEST_CASE("of a node of eight as many as its groups need") {
  CHECK(of_8({.tensor_parallel_size = 6}, 96) == 6);
  CHECK(of_8({.tensor_parallel_size = 3}, 96) == 6);
  CHECK(of_8({.tensor_parallel_size = 2, .context_parallel_size = 3}, 96) == 6);
  CHECK(of_8({.expert_parallel_size = 5}, 100) == 5);
  for (const int group : {1, 2, 4, 8, 16}) CHECK(of_8({.tensor_parallel_size = group}, 128) == 8);
  CHECK(of_8({}, 12) == 8);
  CHECK(of_8({.pipeline_parallel_size = 8}, 48) == 8);
  CHECK(of_8({.tensor_parallel_size = 6}, 6) == 8);  // one node leaves no choice
}

TEST_CASE("a torus is filled whole") {
  Cluster torus = toy_machine();
  torus.scale_up.torus = TorusLinks{.dimensions = {3, "made up"}, .closes_from = {64, "made up"}};
  CHECK(used_of_domain({.tensor_parallel_size = 6, .data_parallel_size = 16}, torus) == 8);
}

TEST_CASE("a plan states what its job uses of each domain") {
  const Cluster rack = toy_of_four(72);
  Plan plan{.data_parallel_size = 256};
  CHECK(placement_words(plan, rack) == "64 of each 72");
  plan.accelerators_per_domain = 32;
  CHECK(placed_job(plan, rack).per_domain == 32);
  CHECK(placed_job(plan, rack).accelerators == 256);
  CHECK(placement_words(plan, rack) == "32 of each 72");
  plan.accelerators_per_domain = 72;
  CHECK(placement_words(plan, rack).empty());
  plan.accelerators_per_domain = 73;
  CHECK(refusal([&] { placed_job(plan, rack); }) ==
        "accelerators_per_domain: 73 of each, but a scale-up domain of toy has 72");
  CHECK(placement_words({.data_parallel_size = 64}, rack).empty());
}
