#include "microbench/app/budget.hpp"

#include "tests/catch.hpp"

using namespace tofn::bench;
using namespace tofn::test;

namespace {

using Sizes = std::vector<double>;

const StoppingRule rule{.share = 0.02, .most_time = 2, .visit_time = 0.5, .least_visits = 4};

GemmShape cube(int side) { return {.m = side, .n = side, .k = side}; }

}  // namespace

TEST_CASE("as many points are taken as fit with the least visits") {
  // Each point takes 4 visits of 0.5 s.
  CHECK(points_that_fit(10, 1, 100, rule) == 10);
  CHECK(points_that_fit(10, 1, 20, rule) == 10);
  CHECK(points_that_fit(10, 1, 19, rule) == 9);
  CHECK(points_that_fit(10, 1, 2, rule) == 1);
  CHECK(points_that_fit(10, 1, 1.9, rule) == 0);
  CHECK(points_that_fit(10, 1, 1e300, rule) == 10);
}

TEST_CASE("nothing fits when the time is over") {
  CHECK(points_that_fit(10, 1, 0, rule) == 0);
  CHECK(points_that_fit(10, 1, -5, rule) == 0);
}

TEST_CASE("points that belong together are taken together") {
  CHECK(points_that_fit(6, 2, 7, rule) == 2);
  CHECK(points_that_fit(6, 2, 3, rule) == 0);
  CHECK(points_that_fit(3, 3, 5, rule) == 0);
  CHECK(points_that_fit(3, 3, 6, rule) == 3);
}

TEST_CASE("of few sizes both ends come first, then the middles") {
  const Sizes sizes{1, 2, 3, 4, 5, 6, 7, 8, 9};
  CHECK(most_useful_sizes(sizes, 0).empty());
  CHECK(most_useful_sizes(sizes, 1) == Sizes{1});
  CHECK(most_useful_sizes(sizes, 2) == Sizes{1, 9});
  CHECK(most_useful_sizes(sizes, 3) == Sizes{1, 5, 9});
  CHECK(most_useful_sizes(sizes, 4) == Sizes{1, 5, 7, 9});
  CHECK(most_useful_sizes(sizes, 5) == Sizes{1, 3, 5, 7, 9});
  CHECK(most_useful_sizes(sizes, 9) == sizes);
  CHECK(most_useful_sizes(sizes, 20) == sizes);
  CHECK(most_useful_sizes({}, 3).empty());
  CHECK(most_useful_sizes({8}, 3) == Sizes{8});
  CHECK(most_useful_sizes({8, 9}, 3) == Sizes{8, 9});
}

TEST_CASE("the heaviest product of each workload comes first, and none twice") {
  CHECK(in_turn({{cube(5), cube(4), cube(3)}, {cube(9)}, {cube(4), cube(5)}}) ==
        std::vector{cube(5), cube(9), cube(4), cube(3)});
  CHECK(in_turn({{}, {}}).empty());
}
