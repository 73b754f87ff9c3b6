#include <vector>

#include "sim/study/k_means.hpp"
#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

TEST_CASE("the knee of K-means is the last size of the first cluster") {
  // Efficiencies are about 1 up to 32 and about 0.1 from 512, which are two obvious clusters.
  const std::vector<ScalingPoint> points{{8, 100},  {16, 50.5},  {32, 25.5},
                                         {512, 15}, {1024, 7.6}, {2048, 3.9}};
  const Knee knee = k_means_knee(points, 1);
  CHECK(knee.accelerators == 32);
  CHECK(knee.between == 32);
  CHECK_FALSE(knee.is_first);
  CHECK_FALSE(knee.is_last);
  CHECK(knee.definition == "the last of the first of 2 clusters of (log2 N, efficiency)");
}

TEST_CASE("fewer than three sizes have no clusters") {
  const std::vector<ScalingPoint> points{{8, 100}, {16, 60}};
  CHECK_FALSE(k_means_knee(points, 1).accelerators);
}
