#include "sim/study/k_means.hpp"

#include <vector>

#include "tests/catch.hpp"

using namespace tofn;
using namespace tofn::test;

namespace {

/// Three tight groups far apart, the last two nearer to each other.
const std::vector<PlanePoint> groups{{0, 0},  {0, 1},   {1, 0},   {20, 0}, {20, 1},
                                     {21, 0}, {30, 40}, {30, 41}, {31, 40}};

}  // namespace

TEST_CASE("k-means finds groups that lie apart, whatever the seed") {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const Labels labels = k_means(groups, 3, seed);
    for (std::size_t group = 0; group < 3; ++group) {
      CHECK(labels[3 * group] == labels[3 * group + 1]);
      CHECK(labels[3 * group] == labels[3 * group + 2]);
    }
    CHECK(labels[0] != labels[3]);
    CHECK(labels[0] != labels[6]);
    CHECK(labels[3] != labels[6]);
  }
}

TEST_CASE("equal seeds give equal labels") {
  CHECK(k_means(groups, 4, 7) == k_means(groups, 4, 7));
}

TEST_CASE("of solutions that are equally good the seed decides") {
  const std::vector<PlanePoint> square{{0, 0}, {0, 1}, {1, 0}, {1, 1}};
  int beside = 0;
  int above = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const Labels labels = k_means(square, 2, seed);
    (labels[0] == labels[1] ? beside : above) += 1;
  }
  CHECK(beside > 0);
  CHECK(above > 0);
}

TEST_CASE("as many clusters as distinct points hold one each, equal points together") {
  const std::vector<PlanePoint> points{{1, 1}, {2, 2}, {1, 1}, {5, 5}};
  const Labels labels = k_means(points, 3, 1);
  CHECK(labels[0] == labels[2]);
  CHECK(labels[0] != labels[1]);
  CHECK(labels[1] != labels[3]);
  CHECK(labels[0] != labels[3]);
}

TEST_CASE("the silhouette, by hand") {
  // Points on a line at 0, 1 and 10 have (10-1)/10, (9-1)/9, and 0 for a point alone.
  const std::vector<PlanePoint> line{{0, 0}, {1, 0}, {10, 0}};
  CHECK_THAT(silhouette(line, {0, 0, 1}), WithinRel((0.9 + 8.0 / 9 + 0) / 3, 1e-12));
  // Wrong labels put 0 with 10 (inside 10, outside 1), 1 alone, and 10 with 0 (inside 10, outside
  // 9).
  CHECK_THAT(silhouette(line, {0, 1, 0}), WithinRel((-0.9 + 0 - 0.1) / 3, 1e-12));
  // The nearest other cluster counts. In 3-4-5 triangles (0,0) has 3 inside, and others at 4 and 5.
  const std::vector<PlanePoint> triangle{{0, 0}, {3, 0}, {0, 4}, {3, 4}};
  // (0,0) has (4-3)/4, and (3,0) too, as min(5, 4) = 4; the two others are alone.
  CHECK_THAT(silhouette(triangle, {0, 0, 1, 2}), WithinRel(0.5 / 4, 1e-12));
}

TEST_CASE("standardised points have mean 0 and deviation 1") {
  const auto scaled = standardised(std::vector<PlanePoint>{{1, 7}, {3, 7}});
  CHECK(scaled[0] == PlanePoint{-1, 0});  // the second coordinate is constant
  CHECK(scaled[1] == PlanePoint{1, 0});
}
